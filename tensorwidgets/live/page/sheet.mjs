/**
 * A large array on a canvas.
 *
 * @typedef {{rows: number, columns: number, count: number, every: number[], dims: number[][], offset: number, itemsize: number, label: string,
 *   scale: number, low: number, high: number, shades: string[][], unit: string, kind: string, bits: number}} Sheet
 */

import { SUPPRESS, make } from './elements.mjs';
import { mask, resheeted, sheetNumbers } from './touch.mjs';

/**
 * The row and column of a sheet under a point, or null beside it.
 * @param {Sheet} sheet
 * @param {number} x
 * @param {number} y
 * @returns {[number, number] | null}
 */
export const under = (sheet, x, y) => {
  const [row, column] = [Math.floor(y / sheet.scale), Math.floor(x / sheet.scale)];
  const inside = row >= 0 && column >= 0 && row < sheet.rows && column < sheet.columns;
  return inside && row * sheet.columns + column < sheet.count ? [row, column] : null;
};

/**
 * The index in the array of a place on a sheet: a vector is laid in lines, and dimensions before the last two stand at 0.
 * @param {Sheet} sheet
 * @param {[number, number]} at
 */
export const indexOf = (sheet, [row, column]) => {
  if (sheet.dims.length === 1) return [(row * sheet.columns + column) * sheet.every[1]];
  const lead = Math.max(sheet.dims.length - 2, 0);
  return [...Array(lead).fill(0), row * sheet.every[0], column * sheet.every[1]];
};

/**
 * What a cell of a sheet says, in the words of every picture.
 * @param {Sheet} sheet
 * @param {number[]} index
 */
export const saying = (sheet, index) => {
  const terms = index.map((i, d) => ` + ${i}*${sheet.dims[d][1]}`).join('');
  const place = index.reduce((sum, i, d) => sum + i * sheet.dims[d][1], sheet.offset);
  const first = sheet.unit === 'offset' ? place * sheet.itemsize : place;
  const end = first + sheet.itemsize - 1;
  const bytes = end > first ? `bytes ${first}..${end}` : `byte ${first}`;
  return `${sheet.unit} = ${sheet.offset}${terms}${index.length ? ` = ${place}` : ''} -> ${bytes}`;
};

/**
 * A number of a sheet as Python writes it: as short as tells it from the next number of its type, and whole numbers with
 * all their digits. All numbers come as doubles, so a long integer is one of several.
 * @param {number} value
 * @param {{kind: string, bits: number}} sheet  with the bits of the mantissa
 */
export const spelled = (value, { kind, bits }) => {
  if (kind === 'bool') return value ? 'True' : 'False';
  if (kind === 'int') return Number.isSafeInteger(value) ? String(value) : `about ${value}`;
  if (Object.is(value, -0)) return '-0';
  if (!Number.isFinite(value)) return String(value).replace('NaN', 'nan').replace('Infinity', 'inf');
  if (bits > 51 || (Number.isInteger(value) && Math.abs(value) < 1e15)) return String(value);
  const half = 2 ** (Math.floor(Math.log2(Math.abs(value))) - bits - 1);
  let digits = 1;
  while (Math.abs(value - Number(value.toPrecision(digits))) >= half) digits += 1;
  return String(Number(value.toPrecision(digits)));
};

/**
 * Which shade a number has, -1 where it is none.
 * @param {number} value
 * @param {Sheet} sheet
 */
export const shade = (value, { low, high, shades }) => {
  if (!Number.isFinite(value)) return -1;
  const most = shades[0].length - 1;
  return high > low ? Math.round(Math.min(1, Math.max(0, (value - low) / (high - low))) * most) : 0;
};

/** A key as a step on a sheet: rows, columns. */
export const STEPS = { ArrowRight: [0, 1], ArrowLeft: [0, -1], ArrowDown: [1, 0], ArrowUp: [-1, 0] };

/** A large array on a canvas: painted once, hovered by arithmetic. */
export const board = (on, stage) => {
  const box = make('div', 'twl-sheet');
  const face = make('div', 'twl-board');
  const canvas = make('canvas');
  const mark = make('div', 'twl-mark');
  const told = make('div', 'twl-told');
  const fact = make('div', 'twl-fact');
  const aside = make('figure', 'twl-base');
  const thumb = make('canvas');
  const name = make('figcaption');
  const both = make('div', 'twl-both');
  aside.append(name, thumb);
  face.append(canvas, mark);
  both.append(aside, face);
  box.append(fact, both, told);
  canvas.tabIndex = 0;
  canvas.role = 'application';
  canvas.setAttribute(SUPPRESS, 'true');
  let sheet, numbers, at = [0, 0];
  const show = (place) => {
    at = place;
    const index = indexOf(sheet, at);
    const value = numbers[at[0] * sheet.columns + at[1]];
    mark.style.cssText = `display:block;width:${sheet.scale}px;height:${sheet.scale}px;transform:translate(${at[1] * sheet.scale}px,${at[0] * sheet.scale}px)`;
    told.textContent = `${sheet.label}[${index.join(', ')}] = ${spelled(value, sheet)}\u2002\u2002${saying(sheet, index)}`;
  };
  on(canvas, 'pointermove', (event) => {
    const place = drawn === sheet && under(sheet, event.offsetX, event.offsetY);
    if (place) show(place);
  });
  // What is said of a cell is read aloud as long as one goes from cell to cell.
  on(canvas, 'blur', () => (told.ariaLive = 'off'));
  on(canvas, 'focus', () => {
    told.ariaLive = 'polite';
    show(at);
  });
  on(canvas, 'keydown', (event) => {
    const step = STEPS[event.key];
    if (!step || event.ctrlKey || event.metaKey || event.altKey) return;
    const stride = event.shiftKey ? 10 : 1;
    const inside = (k, n) => Math.min(n - 1, Math.max(0, at[k] + step[k] * stride));
    const place = [inside(0, sheet.rows), inside(1, sheet.columns)];
    if (place[0] * sheet.columns + place[1] < sheet.count) show(place);
    event.preventDefault();
    event.stopPropagation();
  });
  /** Paints numbers on a canvas; `hit` says of each whether it is read, the others are pale. */
  const colour = (target, { rows, columns, scale, low, high, shades, odd }, values, dark, hit) => {
    const small = make('canvas');
    [small.width, small.height] = [Math.max(columns, 1), Math.max(rows, 1)];
    const pen = small.getContext('2d');
    const image = pen.createImageData(small.width, small.height);
    const points = new Uint32Array(image.data.buffer);
    // Bytes stand in the order red, green, blue, alpha.
    const point = (hex, alpha = 255) => new Uint32Array(new Uint8Array([...[1, 3, 5].map((k) => parseInt(hex.slice(k, k + 2), 16)), alpha]).buffer)[0];
    const ramp = shades[+dark].map((hex) => point(hex));
    const pale = shades[+dark].map((hex) => point(hex, 60));
    const none = point(odd[+dark]);
    const range = { low, high, shades };
    for (let k = 0; k < values.length; k++) {
      const s = shade(values[k], range);
      points[k] = s < 0 ? none : (hit && !hit(k) ? pale : ramp)[s];
    }
    pen.putImageData(image, 0, 0);
    [target.width, target.height] = [Math.max(1, Math.round(columns * scale)), Math.max(1, Math.round(rows * scale))];
    const brush = target.getContext('2d');
    brush.imageSmoothingEnabled = scale < 1;
    brush.drawImage(small, 0, 0, target.width, target.height);
  };
  let drawn, base, memory, held;
  const numbersAt = ({ buffer, byteOffset, byteLength }) => new Float64Array(buffer.slice(byteOffset, byteOffset + byteLength));
  const paint = (dark, draft, hit) => {
    if (!sheet) return;
    const ahead = draft && memory.length;
    drawn = ahead ? resheeted(sheet, draft) : sheet;
    colour(canvas, drawn, ahead ? sheetNumbers(drawn, memory) : numbers, dark, null);
    aside.hidden = !base;
    if (!base) return;
    const read = hit || (held && mask(held, memory.length));
    colour(thumb, base.sheet, base.numbers, dark, read && ((k) => read[base.places[k]]));
  };
  return {
    paint,
    /** The canvas of a large view and its measures, for the grips; null where the view is no canvas. */
    face: () => sheet && {
      face: canvas,
      each: drawn.dims.length > 1 ? [drawn.scale / drawn.every[1], drawn.scale / drawn.every[0]] : [drawn.scale, drawn.scale / (drawn.columns * drawn.every[1])],
      extent: (now) => {
        const { rows, columns } = resheeted(sheet, now);
        return [columns * sheet.scale, rows * sheet.scale];
      },
    },
    draw(fresh, cells, dark, whole, hands) {
      sheet = fresh?.rows ? fresh : null;
      if (!sheet) return box.remove();
      numbers = numbersAt(cells);
      if (whole !== memory?.whole) memory = Object.assign(numbersAt(whole), { whole });
      // Numbers that cannot be have no grips.
      held = hands?.letter ? hands : null;
      const own = memory.length ? sheet.base : null;
      base = own && { sheet: own, numbers: sheetNumbers(own, memory), places: sheetNumbers(own, memory.places ??= Float64Array.from(memory, (_, k) => k)) };
      at = [Math.min(at[0], sheet.rows - 1), Math.min(at[1], sheet.columns - 1)];
      fact.textContent = sheet.fact;
      name.textContent = own?.label || '';
      canvas.ariaLabel = `${sheet.label}: ${sheet.fact} Arrow keys move from cell to cell.`;
      if (!box.isConnected) stage.before(box);
      paint(dark);
      show(at);
      box.dataset.ready = String(numbers.length);
    },
  };
};
