/**
 * Grips on a picture of memory: what they mean as numbers, and how they look. A grip is a second face of a slider in the
 * controls, with the same name, limits and messages; Python decides what is valid. Between a move and Python's answer the
 * picture is painted here, from size, stride and offset alone.
 *
 * @typedef {{size: number[], stride: number[], offset: number}} Numbers
 * @typedef {Numbers & {letter: string, unit: number, item: number, first: number, held: number, view: number,
 *   combs: ([number, number, number] | null)[]}} Hands
 */

import { make } from './elements.mjs';

/** The largest number of elements that is painted before Python answers. */
const MOST = 1 << 18;

/**
 * The numbers with one of them replaced: `offset`, `size 1`, `stride 0`.
 * @param {Numbers} numbers
 * @param {string} name
 * @param {number} value
 * @returns {Numbers}
 */
export const replaced = (numbers, name, value) => {
  const [what, dim] = name.split(' ');
  const { size, stride, offset } = numbers;
  if (what === 'offset') return { size, stride, offset: value };
  return { size, stride, offset, [what]: numbers[what].with(+dim, value) };
};

/**
 * Which elements a view reads, in the order of reading; of more than `most`, the first.
 * @param {Numbers} numbers
 * @param {number} [most]
 * @returns {number[]}
 */
export const reads = ({ size, stride, offset }, most = MOST) => {
  const numel = size.reduce((all, n) => all * Math.max(n, 0), 1);
  const found = new Array(Math.min(numel, most));
  const index = new Array(size.length).fill(0);
  for (let k = 0, at = offset; k < found.length; k++) {
    found[k] = at;
    // The last index runs fastest, as in an odometer.
    for (let d = size.length - 1; d >= 0; d--) {
      at += stride[d];
      if (++index[d] < size[d]) break;
      at -= stride[d] * size[d];
      index[d] = 0;
    }
  }
  return found;
};

/**
 * Which of `held` elements of memory a view reads: 1 for each that it does. A stride of 0 reads the same again.
 * @param {Numbers} numbers
 * @param {number} held
 */
export const mask = ({ size, stride, offset }, held) => {
  const hit = new Uint8Array(held);
  if (size.some((n) => n <= 0)) return hit;
  // The longest dimension is a loop of its own; a stride of 0 is one step.
  const once = size.map((n, d) => (stride[d] ? n : 1));
  const inner = once.indexOf(Math.max(...once));
  const [many, step] = size.length ? [once[inner], stride[inner]] : [1, 0];
  for (const start of reads({ size: once.map((n, d) => (d === inner ? 1 : n)), stride, offset }))
    for (let k = 0, at = start; k < many; k++, at += step) if (at >= 0 && at < held) hit[at] = 1;
  return hit;
};

/**
 * The sheet of a view with other numbers, drawn as large as before.
 * @param {any} sheet
 * @param {Numbers} numbers
 */
export const resheeted = (sheet, { size, stride, offset }) => {
  const last = size.length - 1;
  const whole = Math.max(size[last], 0);
  const dims = size.map((n, d) => [n, stride[d]]);
  if (!last) {
    const count = Math.ceil(whole / sheet.every[1]);
    const columns = Math.max(Math.min(sheet.line, count), 1);
    return { ...sheet, dims, offset, columns, count, rows: Math.ceil(count / columns) };
  }
  const columns = Math.ceil(whole / sheet.every[1]);
  const rows = Math.min(Math.ceil(Math.max(size[last - 1], 0) / sheet.every[0]), Math.floor(MOST / Math.max(columns, 1)));
  return { ...sheet, dims, offset, rows, columns, count: rows * columns };
};

/**
 * The numbers of a sheet, read from memory; none where the view leaves it.
 * @param {any} sheet
 * @param {Float64Array} memory
 */
export const sheetNumbers = (sheet, memory) => {
  const { rows, columns, count, dims, every, offset } = sheet;
  const numbers = new Float64Array(rows * columns).fill(NaN);
  const across = dims.at(-1)[1] * every[1];
  const down = dims.length > 1 ? dims.at(-2)[1] * every[0] : columns * across;
  for (let r = 0, k = 0; r < rows; r++)
    for (let c = 0, at = offset + r * down; c < columns && k < count; c++, k++, at += across) numbers[k] = memory[at] ?? NaN;
  return numbers;
};

/**
 * The value of a grip that was dragged so many pixels, and which an arrow key leads to (null for other keys).
 * @param {number} value
 * @param {number} pixels
 * @param {number} each  pixels of one step
 */
export const draggedTo = (value, pixels, each) => value + Math.round(pixels / each);

/**
 * @param {number} value
 * @param {{key: string, shiftKey?: boolean}} event
 * @param {{low: number, high: number}} spec
 * @param {boolean} down  whether the grip moves down as its value grows
 * @returns {number | null}
 */
export const keyedTo = (value, { key, shiftKey }, spec, down) => {
  const far = shiftKey ? 10 : 1;
  const way = { ArrowRight: 1, ArrowLeft: -1, ArrowUp: down ? -1 : 1, ArrowDown: down ? 1 : -1 }[key];
  if (way) return value + way * far;
  if (key === 'PageUp' || key === 'PageDown') return value + (key === 'PageUp' ? 10 : -10);
  return key === 'Home' ? spec.low : key === 'End' ? spec.high : null;
};

/** What a grip is called, and what it says of a value. @param {string} name */
export const called = (name) => {
  const [what, dim] = name.split(' ');
  return what === 'offset' ? 'offset: where the view starts' : `${what} of dim ${dim}`;
};

const HUES = ['solid', 'dashed', 'double', 'dotted'];
const DASH = { solid: '', dashed: '5 3', double: '', dotted: '1.5 3' };
/** Pixels: the room for the first arch that hangs below a strip, and for each further one. */
const HANG = 20;
const DEEPER = 13;
/** Pixels from an edge to its grip. */
const OUT = 6;

/**
 * The grips of one picture.
 * @param {{desk: HTMLElement, stage: HTMLElement, on: Function, specOf: (name: string) => any,
 *   limited: (name: string, value: number) => [number, string], ask: Function, edge: (words: string) => void,
 *   settled: () => void, repaint: (numbers: Numbers | null, hit: Uint8Array | null) => void, canvas: () => any}} parts
 */
export const grips = ({ desk, stage, on, specOf, limited, ask, edge, settled, repaint, canvas }) => {
  const layer = desk.appendChild(make('div', 'twl-hands'));
  layer.innerHTML = '<svg></svg>';
  const lines = layer.firstElementChild;
  const film = layer.appendChild(make('canvas', 'twl-film'));
  const reel = layer.appendChild(make('canvas', 'twl-film'));
  film.hidden = reel.hidden = true;
  film.ariaHidden = reel.ariaHidden = 'true';
  /** @type {Map<string, HTMLElement & {[fact: string]: any}>} */
  const known = new Map();
  /** @type {Hands | null} */
  let hands = null;
  /** @type {Numbers | null} */
  let draft = null;
  let drag = null;
  let cells = null;

  const now = () => draft || hands;
  const valueOf = (name) => {
    const [what, dim] = name.split(' ');
    return what === 'offset' ? now().offset : now()[what][+dim];
  };
  const box = (element) => {
    const [one, all] = [element.getBoundingClientRect(), desk.getBoundingClientRect()];
    return { left: one.left - all.left, top: one.top - all.top, width: one.width, height: one.height, right: one.right - all.left, bottom: one.bottom - all.top };
  };
  const unitOf = (cell) => +(cell.className.match(new RegExp(`k-${hands.letter}(\\d+)`)) || [0, -1])[1];
  /** The first unit of an element, and the pixels of an element where a cell is a unit. */
  const unit = (element) => (hands.first + element * hands.item) / hands.unit;

  /** Cells of the storage in a line: where an element is on them. */
  const stripRuler = () => {
    // Each view of a large storage has its own first cells; those of the view that is moved are the last that hold it.
    const tables = [...stage.querySelectorAll('.tw-storage')].map((table) => [...table.querySelectorAll('td')].filter((c) => unitOf(c) >= 0));
    const lies = (row) => row.length && unitOf(row[0]) <= unit(hands.offset) && unit(hands.offset) <= unitOf(row.at(-1));
    const all = tables.findLast(lies) || tables.find((row) => row.length);
    if (!all) return null;
    const [one, last] = [box(all[0]), box(all.at(-1))];
    const [from, many] = [unitOf(all[0]), all.length];
    const wide = (last.right - one.left) / many;
    const each = (wide * hands.item) / hands.unit;
    return {
      strip: true, cells: all, each, left: one.left, right: last.right, bottom: one.bottom, row: all[0].parentElement,
      at: (element) => one.left + (unit(element) - from) * wide + each / 2,
      holds: (element) => unit(element) >= from && unit(element) < from + many,
    };
  };
  const barRuler = (element, start, nbytes) => {
    const { left, width, top, bottom, right } = box(element);
    const each = (width * hands.item) / nbytes;
    return { strip: false, each, left, right, top, bottom, at: (e) => left + ((hands.first + e * hands.item - start) * width) / nbytes };
  };
  const wholeBar = () => {
    const mark = stage.querySelector(`.tw-at.k-${hands.letter}`);
    if (!mark) return null;
    const [, , start, nbytes] = mark.classList;
    return barRuler(mark.closest('.tw-bar'), +start, +nbytes);
  };
  /** The comb of a dimension: the last that shows its teeth one by one. */
  const combRuler = (dim) => {
    const found = [...stage.querySelectorAll('.tw-comb')].map((e, k) => [e, hands.combs[k]]).filter(([, c]) => c?.[0] === dim);
    if (!found.length) return null;
    const [element, [, start, nbytes]] = found.at(-1);
    return { ...barRuler(element, start, nbytes), element };
  };

  const grip = (name) => {
    let one = known.get(name);
    if (one) return one;
    one = make('div');
    known.set(name, one);
    layer.append(one);
    const [what, dim] = name.split(' ');
    one.className = `twl-grip twl-${what}${dim ? ` twl-ink${dim % 4}` : ''}`;
    one.dataset.grip = name;
    one.tabIndex = 0;
    one.role = 'slider';
    one.ariaLabel = called(name);
    one.title = `${called(name)}. Drag it, or use the arrow keys.`;
    one.setAttribute('data-lm-suppress-shortcuts', 'true');
    on(one, 'pointerdown', (event) => {
      if (event.button) return;
      one.setPointerCapture(event.pointerId);
      one.focus({ preventScroll: true });
      drag = { name, x: event.clientX, y: event.clientY, value: valueOf(name), each: one.each, down: one.down };
      one.classList.add('twl-held');
      event.preventDefault();
    });
    on(one, 'pointermove', (event) => {
      if (drag?.name !== name || !one.hasPointerCapture(event.pointerId)) return;
      const pixels = drag.down ? event.clientY - drag.y : event.clientX - drag.x;
      move(name, draggedTo(drag.value, pixels, drag.each));
    });
    const end = () => {
      if (drag?.name !== name) return;
      drag = null;
      one.classList.remove('twl-held');
      settled();
    };
    on(one, 'pointerup', end);
    on(one, 'pointercancel', end);
    on(one, 'lostpointercapture', end);
    on(one, 'keydown', (event) => {
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      const spec = specOf(name);
      const value = spec ? keyedTo(valueOf(name), event, spec, one.down) : null;
      if (value === null) return;
      event.preventDefault();
      event.stopPropagation();
      move(name, value);
    });
    on(one, 'blur', () => edge(''));
    return one;
  };

  /** A value was asked for by a grip: it is painted now, and confirmed by Python later. */
  const move = (name, wanted) => {
    // A control can be gone while the picture with its grip is still there.
    if (!specOf(name)) return;
    const [value, words] = limited(name, wanted);
    edge(words);
    if (value !== valueOf(name)) {
      draft = replaced(now(), name, value);
      ask(name, value);
      paint();
    }
  };

  const put = (name, { x, y, each, down = false, home = '' }, seen) => {
    const one = grip(name);
    const spec = specOf(name);
    if (!spec) return;
    seen.add(name);
    Object.assign(one, { each, down, home });
    one.style.left = `${Math.round(x)}px`;
    one.style.top = `${Math.round(y)}px`;
    const value = valueOf(name);
    one.ariaValueNow = String(value);
    one.ariaValueText = String(value);
    one.ariaValueMin = String(Math.min(spec.low, value));
    one.ariaValueMax = String(Math.max(spec.high, value));
    one.ariaOrientation = down ? 'vertical' : 'horizontal';
  };

  /** An arch that hangs below a strip, from the start to one step further. */
  const arch = (from, to, top, deep, dim, text) => {
    const [left, right] = [Math.min(from, to), Math.max(from, to)];
    const r = Math.min(8, (right - left) / 2, deep);
    const way = `M${left},${top}v${deep - r}q0,${r} ${r},${r}H${right - r}q${r},0 ${r},${-r}V${top}`;
    const word = right - left > 8 * text.length ? text : '';
    lines.innerHTML += `<path class="twl-arch twl-ink${dim % 4}" stroke-dasharray="${DASH[HUES[dim % 4]]}" d="${way}"/>
<text class="twl-ink${dim % 4}" x="${(left + right) / 2}" y="${top + deep - 3}">${word}</text>`;
  };

  const viewBox = () => {
    const table = stage.querySelectorAll('.tw-view')[hands.view];
    if (!table) return null;
    const inner = [...table.querySelectorAll('td')].filter((c) => !c.querySelector('td'));
    const found = inner.filter((c) => unitOf(c) >= 0);
    const grid = (found[0] || inner[0])?.closest('table') || table;
    const mine = found.length ? found.filter((c) => c.closest('table') === grid) : inner.slice(0, 1);
    if (!mine.length) return null;
    const [one, last] = [box(mine[0]), box(mine.at(-1))];
    return { table, one, last, face: getComputedStyle(mine[0]).fontSize };
  };

  const inHand = (name, home) => drag?.name === name && known.get(name).home === home;
  /** Whether a step of a dimension is drawn below the cells: where there are bars, only if it fits. */
  const hangs = (strip, d) => {
    const { offset, stride } = now();
    return !strip.bar || inHand(`stride ${d}`, 'strip') || (strip.holds(offset) && strip.holds(offset + stride[d]));
  };

  /** Where the grips of the view's edges are: on the canvas of a large view, else on its first grid. */
  const edges = (seen) => {
    const { size, stride } = now();
    const dims = size.length;
    if (!dims) return;
    const board = canvas();
    if (board) {
      const { left, top, right, bottom } = box(board.face);
      const [w, h] = board.extent(now());
      const [wide, high] = board.each;
      const below = { x: left + Math.min(w, right - left) / 2, y: top + h + OUT, each: high, down: true };
      put(`size ${Math.max(dims - 2, 0)}`, below, seen);
      if (dims > 1) put(`size ${dims - 1}`, { x: left + w + OUT, y: top + Math.min(h, bottom - top) / 2, each: wide }, seen);
      return;
    }
    const place = viewBox();
    if (!place) return;
    const { one } = place;
    const gap = (d) => (d < 0 || stride[d] === 1 ? 0 : 6);
    const [columns, rows] = [size[dims - 1], dims > 1 ? size[dims - 2] : 1];
    const [wide, high] = [one.width + gap(dims - 1), one.height + gap(dims - 2)];
    // A long vector is laid in lines, where its edge is that of the last line.
    const across = dims === 1 && place.last.top > one.top ? (place.last.right - one.left) / wide : columns;
    const right = one.left + Math.max(across * wide - gap(dims - 1), 0);
    const bottom = one.top + Math.max(rows * high - gap(dims - 2), 0);
    put(`size ${dims - 1}`, { x: right + OUT, y: dims === 1 ? (one.top + place.last.bottom) / 2 : (one.top + bottom) / 2, each: wide }, seen);
    if (dims > 1) put(`size ${dims - 2}`, { x: (one.left + Math.max(right, one.left + 24)) / 2, y: bottom + OUT, each: high, down: true }, seen);
    if (dims < 3) return;
    // Leading dimensions are facets: each has its grip behind its line in the caption.
    const facts = place.table.querySelectorAll('caption > div');
    for (let d = 0; d < dims - 2; d++) {
      const words = document.createRange();
      words.selectNodeContents(facts[d + 1]);
      const line = box(words);
      put(`size ${d}`, { x: line.right + 14, y: (line.top + line.bottom) / 2, each: 24 }, seen);
    }
  };

  const place = () => {
    if (!hands) return;
    const seen = new Set();
    lines.replaceChildren();
    const { stride, offset } = now();
    const strip = stripRuler();
    const bar = wholeBar();
    if (strip) {
      strip.bar = bar;
      const room = strip.row.parentElement.querySelector('.twl-room');
      const top = room ? box(room).top + 4 : strip.bottom;
      if (!bar) put('offset', { x: strip.at(offset), y: top + 3, each: strip.each }, seen);
      const used = [];
      stride.forEach((step, d) => {
        if (!hangs(strip, d)) return;
        const lands = Math.min(Math.max(strip.at(offset + step), strip.left - 6), strip.right + 6);
        const deep = HANG + DEEPER * used.length - 6;
        // Two that land on one cell are side by side.
        const beside = used.filter((x) => Math.abs(x - lands) < 3).length * 13 + (Math.abs(lands - strip.at(offset)) < 3 ? 13 : 0);
        used.push(lands);
        if (step) arch(strip.at(offset), lands, top, deep + 4, d, step > 0 ? `+${step}` : `−${-step}`);
        put(`stride ${d}`, { home: 'strip', x: lands + beside, y: top + 3, each: strip.each }, seen);
      });
    }
    if (bar) {
      put('offset', { x: bar.at(offset), y: (bar.top + bar.bottom) / 2, each: bar.each }, seen);
      stride.forEach((step, d) => {
        const comb = !seen.has(`stride ${d}`) && combRuler(d);
        const inside = comb && comb.at(offset + step) >= comb.left - 1 && comb.at(offset + step) <= comb.right + 1;
        if (inside || (comb && inHand(`stride ${d}`, 'comb'))) put(`stride ${d}`, { home: 'comb', x: Math.min(Math.max(comb.at(offset + step), comb.left), comb.right), y: comb.top + 14, each: comb.each }, seen);
      });
    }
    edges(seen);
    for (const [name, one] of known) if (!seen.has(name)) one.style.left = '-99px';
    for (const [name, one] of known) one.hidden = !seen.has(name) && drag?.name !== name;
    layer.dataset.state = draft ? 'ahead' : 'settled';
  };

  /** Cells of the page by their unit, with text and colour: what a draft is painted with. */
  const palette = () => {
    if (cells) return cells;
    cells = new Map();
    for (const cell of stage.querySelectorAll(`td[class*="k-${hands.letter}"]`)) {
      const at = unitOf(cell);
      const old = cells.get(at);
      if (at >= 0 && !(old && old.text)) cells.set(at, { text: cell.textContent, fill: cell.style.backgroundColor });
    }
    return cells;
  };

  /** The view as it will be, over the one that is drawn. */
  const paintView = () => {
    const { size, stride } = now();
    const place = size.length <= 2 && viewBox();
    if (!place || canvas()) return void (film.hidden = true);
    const dims = size.length;
    const { one, last, table, face } = place;
    const [columns, rows] = [dims ? size[dims - 1] : 1, dims > 1 ? size[dims - 2] : 1];
    const gap = (d) => (d < 0 || stride[d] === 1 ? 0 : 6);
    const [wide, high] = [one.width + gap(dims - 1), one.height + gap(dims - 2)];
    const width = Math.min(Math.max(columns * wide, last.right - one.left) + 2, 1400);
    const height = Math.min(Math.max(rows * high, last.bottom - one.top) + 2, 1400);
    const sharp = window.devicePixelRatio || 1;
    film.hidden = false;
    film.style.cssText = `left:${one.left - 1}px;top:${one.top - 1}px;width:${width}px;height:${height}px`;
    [film.width, film.height] = [width * sharp, height * sharp];
    const pen = film.getContext('2d');
    const look = getComputedStyle(table.closest('.tw'));
    pen.scale(sharp, sharp);
    pen.fillStyle = look.backgroundColor;
    pen.fillRect(0, 0, width, height);
    pen.font = `${face} ${look.fontFamily}`;
    pen.textAlign = 'center';
    pen.textBaseline = 'middle';
    pen.lineWidth = 1;
    const known = palette();
    const edgeColour = getComputedStyle(desk).getPropertyValue('--edge');
    const all = reads(now(), 1024);
    all.forEach((element, k) => {
      const [x, y] = [(k % columns) * wide + 1, Math.floor(k / columns) * high + 1];
      const cell = known.get(Math.round(unit(element)));
      pen.fillStyle = cell?.fill || look.backgroundColor;
      pen.fillRect(x, y, one.width, one.height);
      pen.strokeStyle = edgeColour;
      pen.strokeRect(x + .5, y + .5, one.width - 1, one.height - 1);
      pen.fillStyle = look.color;
      if (cell) pen.fillText(cell.text, x + one.width / 2, y + one.height / 2 + 1, one.width - 4);
    });
  };

  /** What the storage shows of a draft: cells that are not read are pale, and a bar is marked where it is read. */
  const paintMemory = (hit) => {
    const wide = Math.max(hands.item / hands.unit, 1);
    for (const cell of stage.querySelectorAll(`.tw-storage td[class*="k-${hands.letter}"]`)) {
      const element = Math.floor((unitOf(cell) - hands.first / hands.unit) / wide);
      cell.classList.toggle('twl-off', hit !== null && !hit[element]);
    }
    for (const one of stage.querySelectorAll('.tw-hops, .tw-comb, .tw-filled')) one.classList.toggle('twl-pale', hit !== null);
    const bar = hit && wholeBar();
    reel.hidden = !bar;
    if (!bar) return;
    const [width, height] = [Math.round(bar.right - bar.left), Math.round(bar.bottom - bar.top)];
    reel.style.cssText = `left:${bar.left}px;top:${bar.top}px;width:${width}px;height:${height}px`;
    [reel.width, reel.height] = [width, 1];
    const pen = reel.getContext('2d');
    const look = getComputedStyle(desk);
    pen.fillStyle = look.getPropertyValue('--paper');
    pen.globalAlpha = .8;
    pen.fillRect(0, 0, width, 1);
    const columns = new Uint8Array(width + 1);
    for (let e = 0; e < hit.length; e++) {
      const x = bar.at(e) - bar.left;
      if (hit[e]) columns.fill(1, Math.floor(x), Math.max(Math.round(x + bar.each), Math.floor(x) + 1));
    }
    for (let x = 0; x < width; x++) if (columns[x]) pen.clearRect(x, 0, 1, 1);
  };

  const paint = () => {
    if (!hands) return;
    const hit = draft && mask(draft, hands.held);
    paintMemory(hit);
    if (draft) paintView();
    else film.hidden = true;
    repaint(draft, hit);
    place();
  };

  return {
    layer,
    /** Whether a grip is in hand: a new picture waits until it is let go. */
    held: () => drag !== null,
    /** The numbers were set elsewhere, by a slider that is linked to a trait: they are painted before Python answers. */
    told(numbers) {
      if (!hands || drag) return;
      draft = numbers;
      paint();
    },
    /** Whether the picture is painted ahead of Python. */
    ahead: () => draft !== null,
    /** Python's numbers have come, and the picture is the one that belongs to them already. */
    rest(fresh) {
      if (!draft) return;
      if (fresh?.letter) hands = fresh;
      draft = null;
      paint();
    },
    /** A new picture, to which the numbers belong. */
    draw(fresh) {
      hands = fresh?.letter ? fresh : null;
      draft = null;
      cells = null;
      layer.hidden = !hands;
      if (!hands) {
        layer.dataset.state = 'settled';
        film.hidden = reel.hidden = true;
        for (const one of known.values()) one.hidden = true;
        return;
      }
      const strip = stripRuler();
      if (strip) {
        strip.bar = wholeBar();
        const room = make('tr', 'twl-room');
        const arches = hands.stride.filter((_, d) => hangs(strip, d)).length;
        const deep = arches ? HANG + DEEPER * (arches - 1) + 6 : strip.bar ? 0 : 20;
        room.appendChild(make('td')).style.cssText = `height:${deep}px;padding:0`;
        strip.row.nextElementSibling.after(room);
      }
      paint();
    },
    place,
  };
};
