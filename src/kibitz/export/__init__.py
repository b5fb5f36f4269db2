"""A game away from Python: its rules and its engine as a WebAssembly module, and what a page needs beside it."""
