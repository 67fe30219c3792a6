// SPDX-License-Identifier: BSL-1.0
#pragma once

namespace tutti::detail {

/// What the page of a schedule knows: reads the data of schedule_json.hpp and follows what every rank holds
/// from round to round. First part of the page's script: a function begins, which page_panels.hpp ends.
inline constexpr const char* page_model = R"js(
'use strict';

/** What is drawn of one schedule of the page; its elements are those whose names end with `part`. */
function view_of(data, part) {

/** A message of a round, or a local step (from == to). */
function movement(round, number) {
  const [from, to, sent, folds, left, cargo, blocks] = data.rounds[round].moves[number];
  return { round, number, from, to, sent, folds: folds === 1, left: left === 1, cargo: data.texts[cargo],
           blocks, local: from === to };
}
function movements(round) {
  return round < data.rounds.length ? data.rounds[round].moves.map((_, k) => movement(round, k)) : [];
}
function in_words(m) {
  if (m.local) return (m.folds ? 'folds ' : 'copies ') + m.cargo + ' at home';
  return `rank ${m.from} to rank ${m.to}: ${m.cargo}` + (m.blocks === 0 ? ', a sign' : m.folds ? ', folded' : ', copied');
}

/** Names of blocks as in the papers; where letters do not suffice with numbers, which are no ranks. */
function block_name(b) {
  return data.blocks <= 26 ? String.fromCharCode(65 + b) : `b${b}`;
}
/** The rank whose part of the vector a block is. */
function owner(b) {
  return Math.floor(b / Math.max(1, Math.floor(data.blocks / data.size)));
}

/** What all ranks hold at one time. Buffers, ranks and blocks are numbers. */
class Holdings {
  constructor() {
    const cells = 4 * data.size * data.blocks;
    this.round = 0; // it is the state before this round
    this.origin = new Int32Array(cells);
    this.from = new Int32Array(cells); // number of a set of ranks; 0: holds nothing
    this.needed = new Uint8Array(cells);
    this.labels = data.labels.slice();
    this.apply(data.start, data.needed);
  }
  at(buffer, rank, block) { return (buffer * data.size + rank) * data.blocks + block; }
  apply(contents, toggles) {
    for (let k = 0; k < contents.length; k += 6) {
      const first = this.at(contents[k], contents[k + 1], contents[k + 2]);
      for (let i = 0; i < contents[k + 3]; ++i) {
        this.origin[first + i] = contents[k + 4] + i;
        this.from[first + i] = contents[k + 5];
      }
    }
    for (let k = 0; k < toggles.length; k += 4) {
      const first = this.at(toggles[k], toggles[k + 1], toggles[k + 2]);
      for (let i = 0; i < toggles[k + 3]; ++i) this.needed[first + i] ^= 1;
    }
  }
  advance() {
    const now = data.rounds[this.round++];
    this.apply(now.contents, now.needed);
    for (let k = 0; k < now.labels.length; k += 2) this.labels[now.labels[k]] = now.labels[k + 1];
  }
  /** Of personal blocks: the rank that one comes from; of a scatter the one that it is for. */
  whose(cell) { return data.kind === 'scatter' ? owner(this.origin[cell]) : data.sets[this.from[cell]][0]; }
  label(rank) { return data.texts[this.labels[rank]]; }
}

/** The state before a round, or in the end; the last one asked for is the start of the way to the next. */
const holdings_before = (() => {
  let last = new Holdings();
  return (asked) => {
    const round = Math.min(asked, data.rounds.length);
    if (last.round > round) last = new Holdings();
    while (last.round < round) last.advance();
    return last;
  };
})();
)js";

} // namespace tutti::detail
