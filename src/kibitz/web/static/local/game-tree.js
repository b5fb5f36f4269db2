/** The moves of a game and the variations beside them: one tree, a number for each node, marks and comments. */

import { Refusal } from "../refusal.js";
import { CHANCE } from "./rules.js";

const MARKS = ["", "!", "?!", "?", "??"];

export class GameTree {
  constructor(rules, start) {
    this.rules = rules;
    this.root = { number: 0, position: start, parent: null, step: null, children: [], mark: "", comment: "" };
    this.live = this.root;
    this.nodes = new Map([[0, this.root]]);
    this.fresh = [this.root];
    this.next = 1;
  }

  node(number) {
    const found = this.nodes.get(number);
    if (!found) throw new Refusal({ error: "stale", message: `the tree has no node ${number}` });
    return found;
  }

  path(node) {
    const found = [];
    for (let at = node; at.parent; at = at.parent) found.push(at);
    return found.reverse();
  }

  steps(node) {
    return this.path(node).map((one) => one.step);
  }

  /** The game is here now: its steps come first among their siblings, and nothing else is lost. */
  follow(steps) {
    let node = this.root;
    for (const step of steps) {
      const child = this.#child(node, step);
      node.children = [child, ...node.children.filter((one) => one !== child)];
      child.played = true;
      node = child;
    }
    this.live = node;
    return node;
  }

  /** A turn, or a part of it, tried at any node; chance then rolls. */
  play(node, words, random) {
    const { rules } = this;
    const side = rules.turn(node.position);
    let here = node.position;
    const passed = [];
    for (const word of words.split("+")) {
      refuseAfterTurn(rules, here, side, word);
      here = rules.playWord(here, word);
      passed.push(here);
    }
    while (!rules.over(here) && rules.turn(here) === CHANCE) {
      here = rules.roll(here, random);
      passed.push(here);
    }
    return this.add(node, passed);
  }

  add(node, passed) {
    return passed.reduce((at, position) => this.#child(at, this.rules.step(position)), node);
  }

  nextSteps() {
    const found = [];
    for (let node = this.live; node.children[0]?.played; node = node.children[0]) found.push(node.children[0].step);
    return found;
  }

  annotate(node, mark, comment) {
    if (!MARKS.includes(mark)) {
      const message = `mark is '${mark}', expected one of ${MARKS.slice(1)} or none`;
      throw new Refusal({ error: "bad-message", message });
    }
    node.reviewed = node.reviewed && mark === node.mark;
    Object.assign(node, { mark, comment });
  }

  markReviewed(number, mark) {
    const node = this.nodes.get(number);
    if (node && (node.reviewed || !node.mark)) Object.assign(node, { mark, reviewed: true });
  }

  remove(node) {
    if (!node.parent || this.path(this.live).includes(node)) {
      const message = "the game itself cannot be removed, expected a move of a variation";
      throw new Refusal({ error: "bad-message", message });
    }
    node.parent.children = node.parent.children.filter((one) => one !== node);
    const gone = [node];
    while (gone.length) {
      const one = gone.pop();
      this.nodes.delete(one.number);
      gone.push(...one.children);
    }
    return node.parent;
  }

  facts(node) {
    return {
      node: node.number,
      parent: node.parent?.number ?? null,
      side: node.step?.side ?? null,
      text: node.step?.gesture.text ?? "",
      turn: this.rules.turn(node.position),
      mark: node.mark,
      comment: node.comment,
    };
  }

  takeFresh() {
    const fresh = this.fresh.filter((node) => this.nodes.has(node.number)).map((node) => this.facts(node));
    this.fresh = [];
    return fresh;
  }

  restore(notes) {
    for (const { line, mark, comment } of notes) {
      this.annotate(this.add(this.root, this.rules.playLine(this.root.position, line)), mark, comment);
    }
  }

  #child(node, step) {
    const known = node.children.find((child) => child.step.code === step.code);
    if (known) return known;
    const made = { number: this.next, position: step.after, parent: node, step, children: [], mark: "", comment: "" };
    this.next += 1;
    node.children.push(made);
    this.nodes.set(made.number, made);
    this.fresh.push(made);
    return made;
  }
}

/** Nothing, or a Refusal where a word comes after the end of the turn. */
export function refuseAfterTurn(rules, position, side, word) {
  if (rules.over(position) || rules.turn(position) !== side) {
    throw new Refusal({ error: "illegal-move", message: `'${word}' comes after the turn has ended` });
  }
}
