/** What people see of a game, from the numbers of its states: follows the data of `kibitz.core.view`. */

import { Refusal } from "../refusal.js";

const bad = (message) => new Refusal({ error: "bad-position", message });
const quoted = (text) => `'${text.length > 60 ? `${text.slice(0, 57)}...` : text}'`;

/** The fields of a state by name: BigInt, or an array of BigInt. */
export function fieldsOf(words, fields) {
  const found = {};
  let at = 0;
  for (const { name, array } of fields) {
    if (array) {
      const size = Number(words[at]);
      found[name] = Array.from(words.slice(at + 1, at + 1 + size));
      at += 1 + size;
    } else {
      found[name] = words[at];
      at += 1;
    }
  }
  return found;
}

/** The way back: a list of decimal strings. */
export function wordsOf(values, fields) {
  return fields.flatMap(({ name, array }) => {
    const value = values[name];
    return array ? [String(value.length), ...value.map(String)] : [String(BigInt.asIntN(64, BigInt(value)))];
  });
}

export class View {
  constructor(data) {
    this.data = data;
  }

  fields(position) {
    return fieldsOf(position.words, this.data.fields);
  }

  /** What stands on each cell. */
  pieces(position) {
    const state = this.fields(position);
    const found = this.data.cells.map(() => "");
    for (const source of this.data.sources) {
      const value = state[source.field];
      if (source.kind === "set") {
        for (const cell of members(value)) if (cell < source.size) found[cell] = source.letter;
      } else if (source.kind === "code") {
        value.forEach((code, cell) => {
          found[cell] = source.texts[String(code)] || found[cell];
        });
      } else {
        const number = Number(source.place == null ? value : value[source.place]);
        found[source.cell] = number > 0 || (number === 0 && source.zero) ? `${source.letter}${number}` : "";
      }
    }
    return found;
  }

  /** The fields that pieces on cells fill. */
  #place(pieces) {
    const found = {};
    for (const source of this.data.sources) {
      if (source.kind === "set") {
        let set = 0n;
        for (let cell = 0; cell < source.size; cell += 1) {
          if (pieces[cell] === source.letter) set |= 1n << BigInt(cell);
        }
        found[source.field] = set;
      } else if (source.kind === "code") {
        const codes = new Map(Object.entries(source.texts).map(([code, text]) => [text, code]));
        codes.delete("");
        found[source.field] = pieces.slice(0, source.size).map((text) => BigInt(codes.get(text) ?? 0));
      }
    }
    return found;
  }

  // Moves.

  /** What a hand does for a move: cells, amount and captured cells. */
  gesture(before, move, turn, after) {
    const { captured: kind } = this.data.gestures;
    const { cells, amount, captured } = this.#touched(before, move, turn);
    if (cells.length > 1 && kind === "target") {
      const target = cells.at(-1);
      return { cells, amount, captured: this.pieces(before)[target] ? [target] : [] };
    }
    if (cells.length > 1 && kind === "gone") return { cells, amount, captured: this.#gone(before, after(), cells) };
    return { cells, amount, captured };
  }

  #touched(before, move, turn) {
    const data = this.data.gestures;
    if (String(move) in data.buttons) return { cells: [], amount: null, captured: [] };
    const width = 2 ** data.amount;
    const amount = data.amount ? Number(move) % width : null;
    const key = Math.floor(Number(move) / width);
    if (data.kind === "cell") return { cells: [key], amount, captured: [] };
    if (data.kind === "table") {
      const [cells, captured] = data.table[data.turn ? `${turn}:${key}` : key] ?? [[], []];
      return { cells, amount, captured };
    }
    const [origin, target] = [Math.floor(key / data.base), key % data.base];
    if (data.kind === "leap") return { cells: this.#leaps(before, origin, target), amount, captured: [] };
    return { cells: origin === target && data.single ? [origin] : [origin, target], amount, captured: [] };
  }

  #gone(before, after, cells) {
    const [was, now] = [this.pieces(before), this.pieces(after)];
    const taken = was.flatMap((text, cell) =>
      cell < this.data.text.size && text && !now[cell] && cell !== cells[0] ? [cell] : []
    );
    return taken.length ? taken : was[cells.at(-1)] ? [cells.at(-1)] : [];
  }

  /** A step, or the fewest leaps over the first piece met to as far behind it. */
  #leaps(before, origin, target) {
    const { rays } = this.data.gestures;
    if (rays[origin].some((ray) => ray[0] === target)) return [origin, target];
    const pieces = this.pieces(before);
    pieces[origin] = "";
    const paths = new Map([[origin, [origin]]]);
    const waiting = [origin];
    while (waiting.length && !paths.has(target)) {
      const cell = waiting.shift();
      for (const ray of rays[cell]) {
        const landed = landing(pieces, ray);
        if (landed == null || paths.has(landed)) continue;
        paths.set(landed, [...paths.get(cell), landed]);
        waiting.push(landed);
      }
    }
    return paths.get(target) ?? [origin, target];
  }

  /** What a move is called, or an outcome of chance; `after` gives the position behind it. */
  moveText(before, move, turn, after) {
    if (turn === 2) return this.#outcomeText(move, after());
    const button = this.data.gestures.buttons[String(move)];
    if (button !== undefined) return button;
    const { cells, amount, captured } = this.gesture(before, move, turn, after);
    return this.#named(cells, amount, captured.length > 0);
  }

  #named(cells, amount, captured) {
    const ends = cells.length < 2 ? cells : [cells[0], cells.at(-1)];
    const names = ends.map((cell) => this.data.cells[cell]).join(this.data.words.join[captured ? 1 : 0]);
    return amount == null ? names : `${names}:${amount}`;
  }

  #outcomeText(move, after) {
    const { outcome } = this.data.words;
    if (outcome.kind === "number") return `~${move}`;
    const cell = Math.floor((Number(move) - outcome.from) / outcome.base);
    return `~${this.data.cells[cell]}:${this.pieces(after)[cell] || "0"}`;
  }

  // Positions as text.

  write(position) {
    const { text, fields } = this.data;
    const state = this.fields(position);
    if (text.kind === "fields") return fields.map(({ name }) => `${name}=${state[name]}`).join(" ");
    const parts = [writeBoard(this.pieces(position), text)];
    if (text.sides.length) parts.push(text.sides[Number(state[text.side])]);
    parts.push(...text.tail.map((item) => this.#writeItem(item, state)).filter((word) => word != null));
    return parts.join(" ");
  }

  #writeItem(item, state) {
    if (item.kind === "word") return item.text;
    const value = state[item.field];
    if (item.kind === "array") return String(value) === String(item.default) ? null : `${item.key}=${value}`;
    if (item.kind === "moves" || item.kind === "pairs") {
      return value.length ? `${item.key}=${value.map((one) => this.#element(item, Number(one))).join("+")}` : null;
    }
    const number = Number(value);
    if (item.kind === "place") return number >= 0 ? `${item.key}=${this.data.cells[number]}` : null;
    if (item.kind === "length") return number ? `${item.key}=${value.toString(2).length}` : null;
    const usual = item.unless ? Number(state[item.unless]) : item.default;
    return number === usual ? null : `${item.key}=${number}`;
  }

  #element(item, element) {
    if (item.kind === "pairs") return `${this.data.cells[element >> 8]}:${element & 255}`;
    const { cells, amount } = this.#touched(null, element, 0);
    return this.#named(cells, amount, false);
  }

  /** The words of a position's text, and the moves that are still to be played there. */
  read(text) {
    const { text: data, fields } = this.data;
    if (data.kind === "fields") return { words: wordsOf(readFields(text, fields), fields), moves: [] };
    const [board, ...rest] = text.split(/\s+/).filter(Boolean);
    if (!board) throw bad("position is empty, expected a board");
    const pieces = readBoard(board, data);
    for (const [letter, [least, most]] of Object.entries(data.counts)) {
      const there = pieces.filter((piece) => piece === letter).length;
      const expected = least === most ? least : `${least} to ${most}`;
      if (there < least || there > most) throw bad(`${there} pieces are ${quoted(letter)}, expected ${expected}`);
    }
    const found = { ...data.defaults, ...this.#place(pieces) };
    if (data.sides.length) {
      const side = data.sides.indexOf(rest[0]);
      if (side < 0) {
        const shown = rest.length ? quoted(rest[0]) : "missing";
        throw bad(`side to move is ${shown}, expected ${data.sides.join(" or ")} after the board`);
      }
      found[data.side] = side;
      rest.shift();
    }
    const moves = this.#readTail(rest, found);
    for (const source of this.data.sources) {
      if (source.kind !== "set" || !fields.find((field) => field.name === source.field).array) continue;
      const size = Math.ceil(source.size / 64);
      found[source.field] = Array.from({ length: size }, (_, at) =>
        BigInt.asIntN(64, found[source.field] >> BigInt(64 * at)));
    }
    return { words: wordsOf(found, fields), moves };
  }

  #readTail(words, found) {
    const { tail } = this.data.text;
    const known = new Map(tail.filter((item) => item.kind !== "word").map((item) => [item.key, item]));
    const moves = [];
    for (const item of known.values()) {
      if (item.kind === "number" && item.unless) found[item.field] = found[item.unless];
    }
    for (const word of words) {
      const at = word.indexOf("=");
      if (at < 0 && tail.some((item) => item.kind === "word") && /^([0-9]{1,9}|-)$/.test(word)) continue;
      const item = at < 0 ? null : known.get(word.slice(0, at));
      if (!item) throw bad(`unexpected ${quoted(word)} in position`);
      if (item.kind === "moves") moves.push(...word.slice(at + 1).split("+"));
      else found[item.field] = this.#readItem(item, word.slice(at + 1));
    }
    return moves;
  }

  #readItem({ kind, key, default: usual }, text) {
    const { cells } = this.data;
    if (kind === "place") {
      if (!cells.includes(text)) throw bad(`${key} is ${quoted(text)}, expected the name of a cell`);
      return cells.indexOf(text);
    }
    if (kind === "pairs") {
      return text.split("+").map((word) => {
        const [cell, amount] = [cells.indexOf(word.slice(0, word.lastIndexOf(":"))), word.split(":").at(-1)];
        if (cell < 0 || !/^[0-9]{1,3}$/.test(amount)) {
          throw bad(`${key} is ${quoted(text)}, expected a cell and an amount, as ${cells[0]}:1`);
        }
        return cell * 256 + Number(amount);
      });
    }
    const numbers = kind === "array" ? text.split(",") : [text];
    if (!numbers.every((one) => /^-?[0-9]{1,18}$/.test(one))) throw bad(`${key} is ${quoted(text)}, expected a number`);
    if (kind !== "array") return kind === "length" ? (Number(text) ? 1n << BigInt(Number(text) - 1) : 0) : numbers[0];
    if (numbers.length !== usual.length) throw bad(`${key} is ${quoted(text)}, expected ${usual.length} numbers`);
    return numbers;
  }

  /** The text of a board that was put together by hand, with this side to move; what else there is, is as usual. */
  compose(pieces, turn) {
    const { text } = this.data;
    if (text.kind === "fields") throw bad("positions of this game cannot be put together, expected a position's text");
    const words = text.tail.filter((item) => item.kind === "word").map((item) => item.text);
    return [writeBoard(pieces, text), ...(text.sides.length ? [text.sides[turn]] : []), ...words].join(" ");
  }
}

function members(value) {
  if (Array.isArray(value)) return value.flatMap((word, at) => members(word).map((bit) => 64 * at + bit));
  const found = [];
  for (let rest = BigInt.asUintN(64, value), bit = 0; rest; rest >>= 1n, bit += 1) if (rest & 1n) found.push(bit);
  return found;
}

function landing(pieces, ray) {
  const over = ray.findIndex((cell) => pieces[cell]);
  if (over < 0 || 2 * over + 1 >= ray.length) return null;
  return ray.slice(over + 1, 2 * over + 2).some((cell) => pieces[cell]) ? null : ray[2 * over + 1];
}

function writeBoard(pieces, { rows, counted }) {
  return rows.map((row) => {
    const words = [];
    let empty = 0;
    for (const text of [...row.map((cell) => pieces[cell]), null]) {
      if (text === "") {
        empty += 1;
        continue;
      }
      if (empty) words.push(empty);
      empty = 0;
      if (text != null) words.push(text);
    }
    return words.join(counted ? "," : "");
  }).join("/");
}

function readBoard(board, { rows, counted, letters, size }) {
  const lines = board.split("/");
  if (lines.length !== rows.length) {
    throw bad(`board ${quoted(board)} has ${lines.length} rows, expected ${rows.length}`);
  }
  const found = Array(size).fill("");
  lines.forEach((line, index) => {
    const read = counted ? readCounts : readLetters;
    const cells = read(line, index, rows[index].length, letters);
    rows[index].forEach((cell, at) => {
      found[cell] = cells[at];
    });
  });
  return found;
}

function readLetters(line, index, columns, letters) {
  const cells = [];
  for (const token of line.match(/\d+|./gsu) ?? []) {
    if (/^\d+$/.test(token)) {
      if (token.length > 4 || Number(token) === 0 || Number(token) > columns - cells.length) {
        throw bad(`row ${index + 1} ${quoted(line)}: a run of ${token.slice(0, 9)} does not fit ${columns} cells`);
      }
      cells.push(...Array(Number(token)).fill(""));
    } else if (letters.includes(token)) cells.push(token);
    else {
      const expected = [...letters].join(", ");
      throw bad(`row ${index + 1} ${quoted(line)}: ${quoted(token)} is no piece, expected ${expected}`);
    }
  }
  return filled(cells, line, index, columns);
}

function readCounts(line, index, columns, letters) {
  const cells = [];
  for (const word of line.split(",")) {
    if (/^[1-9][0-9]{0,2}$/.test(word)) cells.push(...Array(Number(word)).fill(""));
    else if (letters.includes(word[0]) && /^[1-9][0-9]{0,2}$/.test(word.slice(1))) cells.push(word);
    else throw bad(`row ${index + 1} ${quoted(line)}: ${quoted(word)} is no cell`);
  }
  return filled(cells, line, index, columns);
}

function filled(cells, line, index, columns) {
  if (cells.length === columns) return cells;
  throw bad(`row ${index + 1} ${quoted(line)} has ${cells.length} cells, expected ${columns}`);
}

function readFields(text, fields) {
  const words = new Map(text.split(/\s+/).filter(Boolean).map((word) => {
    const at = word.indexOf("=");
    return [word.slice(0, at), word.slice(at + 1)];
  }));
  return Object.fromEntries(fields.map(({ name, array }) => {
    if (!words.has(name)) throw bad(`position ${quoted(text)} lacks ${name}, expected name=value for each field`);
    const numbers = words.get(name).split(",").filter(Boolean);
    if (!numbers.every((one) => /^-?[0-9]{1,19}$/.test(one)) || (!array && !numbers.length)) {
      throw bad(`${name} is ${quoted(words.get(name))}, expected a number`);
    }
    return [name, array ? numbers : numbers[0]];
  }));
}
