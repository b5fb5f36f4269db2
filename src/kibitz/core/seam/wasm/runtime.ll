; What compiled code asks of Numba's runtime, for one thread: reference counts, and memory in sizes of powers of two.
;
; A block begins with its size, as a power of two, and the next free block of that size; what is handed out lies 16
; bytes behind. Freed blocks are kept by size and used again, so memory stays as large as the most that was ever in use.
; Numba's meminfo is {i64 count, ptr destructor, ptr, ptr data, i64 size, ptr}; the data follow it in the same block.

@top = internal global i32 0
@free = internal global [33 x i32] zeroinitializer

declare i32 @llvm.wasm.memory.size.i32(i32)
declare i32 @llvm.wasm.memory.grow.i32(i32, i32)
declare i64 @llvm.ctlz.i64(i64, i1)
declare void @llvm.trap()

define ptr @allocate(i64 %bytes) {
  %whole = add i64 %bytes, 15
  %zeros = call i64 @llvm.ctlz.i64(i64 %whole, i1 false)
  %bits = sub i64 64, %zeros
  %tiny = icmp ult i64 %bits, 6
  %power.64 = select i1 %tiny, i64 6, i64 %bits
  %huge = icmp ugt i64 %power.64, 30
  br i1 %huge, label %refuse, label %choose
choose:
  %power = trunc i64 %power.64 to i32
  %bin = getelementptr [33 x i32], ptr @free, i32 0, i32 %power
  %first = load i32, ptr %bin
  %kept = icmp ne i32 %first, 0
  br i1 %kept, label %reuse, label %fresh
reuse:
  %old = inttoptr i32 %first to ptr
  %link = getelementptr i8, ptr %old, i32 4
  %next = load i32, ptr %link
  store i32 %next, ptr %bin
  %old.data = getelementptr i8, ptr %old, i32 16
  ret ptr %old.data
fresh:
  %size = shl i32 1, %power
  %new = call ptr @extend(i32 %size)
  store i32 %power, ptr %new
  %new.data = getelementptr i8, ptr %new, i32 16
  ret ptr %new.data
refuse:
  call void @llvm.trap()
  unreachable
}

; Memory that is never given back, filled with zeros: for who calls the module.
define ptr @reserve(i64 %bytes) {
  %huge = icmp ugt i64 %bytes, 2147483584
  br i1 %huge, label %refuse, label %take
take:
  %count = trunc i64 %bytes to i32
  %more = add i32 %count, 63
  %size = and i32 %more, -64
  %new = call ptr @extend(i32 %size)
  ret ptr %new
refuse:
  call void @llvm.trap()
  unreachable
}

; The bytes behind all that is in use. The first of them begin where the memory that the module starts with ends.
define internal ptr @extend(i32 %size) {
  %pages = call i32 @llvm.wasm.memory.size.i32(i32 0)
  %memory = shl i32 %pages, 16
  %known = load i32, ptr @top
  %begun = icmp ne i32 %known, 0
  %start = select i1 %begun, i32 %known, i32 %memory
  %end = add i32 %start, %size
  %wrapped = icmp ult i32 %end, %start
  br i1 %wrapped, label %refuse, label %fit
fit:
  %beyond = icmp ugt i32 %end, %memory
  br i1 %beyond, label %grow, label %take
grow:
  %lacking = sub i32 %end, %memory
  %rounded = add i32 %lacking, 65535
  %more = lshr i32 %rounded, 16
  %before = call i32 @llvm.wasm.memory.grow.i32(i32 0, i32 %more)
  %failed = icmp eq i32 %before, -1
  br i1 %failed, label %refuse, label %take
take:
  store i32 %end, ptr @top
  %new = inttoptr i32 %start to ptr
  ret ptr %new
refuse:
  call void @llvm.trap()
  unreachable
}

define void @release(ptr %data) {
  %block = getelementptr i8, ptr %data, i32 -16
  %power = load i32, ptr %block
  %bin = getelementptr [33 x i32], ptr @free, i32 0, i32 %power
  %next = load i32, ptr %bin
  %link = getelementptr i8, ptr %block, i32 4
  store i32 %next, ptr %link
  %address = ptrtoint ptr %block to i32
  store i32 %address, ptr %bin
  ret void
}

define void @NRT_incref(ptr %info) alwaysinline {
  %none = icmp eq ptr %info, null
  br i1 %none, label %done, label %count
count:
  %old = load i64, ptr %info
  %new = add i64 %old, 1
  store i64 %new, ptr %info
  br label %done
done:
  ret void
}

define void @NRT_decref(ptr %info) alwaysinline {
  %none = icmp eq ptr %info, null
  br i1 %none, label %done, label %count
count:
  %old = load i64, ptr %info
  %new = add i64 %old, -1
  store i64 %new, ptr %info
  %last = icmp eq i64 %new, 0
  br i1 %last, label %free, label %done
free:
  call void @release(ptr %info)
  br label %done
done:
  ret void
}

define ptr @NRT_MemInfo_alloc_aligned(i64 %bytes, i32 %alignment) {
  %whole = add i64 %bytes, 48
  %info = call ptr @allocate(i64 %whole)
  store i64 1, ptr %info
  %place = getelementptr i8, ptr %info, i32 24
  %data = getelementptr i8, ptr %info, i32 48
  store ptr %data, ptr %place
  ret ptr %info
}

define ptr @NRT_MemInfo_alloc_safe_aligned(i64 %bytes, i32 %alignment) {
  %info = call ptr @NRT_MemInfo_alloc_aligned(i64 %bytes, i32 %alignment)
  ret ptr %info
}

define ptr @NRT_MemInfo_alloc_aligned_external(i64 %bytes, i32 %alignment, ptr %allocator) {
  %info = call ptr @NRT_MemInfo_alloc_aligned(i64 %bytes, i32 %alignment)
  ret ptr %info
}

define ptr @NRT_MemInfo_alloc_safe_aligned_external(i64 %bytes, i32 %alignment, ptr %allocator) {
  %info = call ptr @NRT_MemInfo_alloc_aligned(i64 %bytes, i32 %alignment)
  ret ptr %info
}

define ptr @NRT_MemInfo_data_fast(ptr %info) alwaysinline {
  %data = getelementptr i8, ptr %info, i32 48
  ret ptr %data
}

define void @NRT_MemInfo_call_dtor(ptr %info) {
  call void @release(ptr %info)
  ret void
}

define ptr @NRT_Allocate(i64 %bytes) {
  %data = call ptr @allocate(i64 %bytes)
  ret ptr %data
}

define void @NRT_Free(ptr %data) {
  call void @release(ptr %data)
  ret void
}

; Only a single number as an array of one element is reshaped without a copy.
define i32 @numba_attempt_nocopy_reshape(i64 %old, ptr %a, ptr %b, i64 %new, ptr %c, ptr %strides, i64 %item, i32 %order) {
  %scalar = icmp eq i64 %old, 0
  %row = icmp eq i64 %new, 1
  %both = and i1 %scalar, %row
  br i1 %both, label %yes, label %no
yes:
  store i64 %item, ptr %strides
  ret i32 1
no:
  ret i32 0
}
