/**
 * Wakes a picture up: hover, focus, arrow keys, pins, a spoken sentence, dark paper.
 *
 * One rule for every picture: a cell lights up when it shares a letter with the cell in hand and agrees with it in every
 * letter they share. Letters travel in classes (k-A9: storage A, offset 9; i-j1: index j is 1), sentences in titles
 * ("subject | reason"). Nothing here knows what a stride is; the numbers are read from the sentence.
 *
 * Each picture carries this function as a classic script, made smaller by `script.py`: without comments (so they stand on
 * lines of their own) and indentation, and with the names below, which are local everywhere, cut to one letter. A live
 * picture changes, and what stays of it is woken again: the line behind `live:` is code there, a way to forget it first.
 *
 * cut: cell root event pinned step hand letter numbers names awake paint reason subject example dark shared middle other
 * cut: keys label line colour least ahead place near show table
 *
 * @param {string} colours  base64 of three bytes for light paper, three for dark, and so on; the four axes come first
 */
function waker(colours) {
  const lines = ['solid', 'dashed', 'double', 'dotted'];
  const hex = [...atob(colours)].map((c) => c.charCodeAt(0).toString(16).padStart(2, '0')).join('').match(/.{6}/g) || [];
  const pens = lines.map((line, k) => [line, '#' + hex[2 * k]]);
  const [night, print] = ['(prefers-color-scheme: dark)', 'print'].map((query) => matchMedia(query));
  const { body, documentElement: html } = document;
  const make = (tag) => document.createElement(tag);

  /**
   * The letters of a cell, each with the numbers that it stands for here.
   * @param {Iterable<string>} names
   * @returns {Map<string, string[]>}
   */
  const keysOf = (names) => {
    const keys = new Map();
    for (const name of names) {
      const [, letter, n] = /^([ki]-[A-Za-z]+)(\d+)$/.exec(name) || [];
      if (letter) keys.set(letter, [...(keys.get(letter) || []), n]);
    }
    return keys;
  };

  /**
   * The one rule.
   * @param {Map<string, string[]>} one
   * @param {Map<string, string[]>} other
   */
  const agree = (one, other) => {
    const shared = [...one.keys()].filter((k) => other.has(k));
    return shared.length > 0 && shared.every((k) => one.get(k).some((n) => other.get(k).includes(n)));
  };

  /**
   * "offset = 3 + 1*4 + 2*-1 = 5" as jumps [axis, from, step]: to the right first, then back.
   * @param {string} reason
   * @returns {number[][]}
   */
  const hopsOf = (reason) => {
    const [, start, sum = ''] = /offset = (\d+)((?: \+ \d+\*-?\d+)+)/.exec(reason) || [];
    const hops = [];
    let at = +start;
    for (const sign of [1, -1])
      [...sum.matchAll(/(\d+)\*(-?\d+)/g)].map(([, n, step], axis) => {
        for (let k = 0; k < n && sign * step > 0; k++, at += +step) hops.push([axis, at, +step]);
      });
    return hops;
  };

  /**
   * Text with every colour of light paper replaced by its partner.
   * @param {string} text
   * @param {boolean} dark
   */
  const repaint = (text, dark) =>
    text.replace(/#(\w{6})\b/g, (c, six) => (dark && hex.some((h, k) => k % 2 && hex[k - 1] === six && (c = '#' + h)), c));

  /** What the host says of its paper; where none says anything, what the person has set. What is printed is light. */
  const isDark = () => {
    const said = [html, body].flatMap((e) => [e.className, e.dataset.jpThemeLight, e.dataset.theme, e.getAttribute('theme')]);
    const says = (words) => said.join(' ').split(' ').some((one) => words.includes(one));
    return !print.matches &&
      (says(['false', 'dark', 'vscode-dark', 'vscode-high-contrast']) || night.matches && !says(['true', 'light', 'vscode-light']));
  };

  /** @type {Map<Element, () => void>} */
  const awake = new Map();
  const turn = () => awake.forEach((paint, root) => (root.isConnected ? paint() : awake.delete(root)));
  [html, body].map((e) => new MutationObserver(turn).observe(e, { attributes: true }));
  night.onchange = print.onchange = turn;

  // What is wider than its room is scrolled by keys, too: it is a stop of Tab as long as it is.
  const sizes = new ResizeObserver((all) => all.map(({ target: box }) => {
    const wide = box.scrollWidth > box.clientWidth;
    for (const [name, value] of [['tabindex', 0], ['role', 'group'], ['aria-label', 'Scrolls sideways']])
      wide ? box.setAttribute(name, value) : box.removeAttribute(name);
  }));

  /**
   * @param {any} root
   * @param {any} end  what ends its listeners, where it will be woken again
   */
  const mount = (root, end) => {
    if (!root || awake.has(root)) return;
    const all = (query, top = root) => [...top.querySelectorAll(query)];
    const cells = all('[class*="k-"],[class*="i-"]').filter((c) => keysOf(c.classList).size);
    const [say] = all('.tw-say');
    let dark, hand, pinned, lit = [];

    const arch = (box) => {
      const [letter, numbers] = [...keysOf(hand.classList)][0];
      const wide = 100 * numbers.length / box.parentNode.colSpan;
      const mine = all('.' + letter + 0, box.closest('table'))[0] && !hand.closest('.tw-storage') ? hopsOf(hand.note[1]) : [];
      box.innerHTML = repaint(mine.map(([axis, from, step]) => {
        const [line, colour] = pens[axis % 4];
        const left = wide * (Math.min(from, from + step) + .5);
        const [label, high] = step > 0 ? ['+' + step, box.offsetHeight] : ['−' + -step, 22];
        return `<div style="ARCH;left:${left}%;width:${wide * Math.abs(step)}%;height:${high}px;border-style:${line};color:${colour}">${label}</div>`;
      }).join(''), dark);
    };

    // The mark on a bar: its classes say which storage the bar is of, its first byte and how many it has.
    const mark = (bar) => {
      const [, letter, first, long] = bar.classList;
      const [, byte] = /byte\w* (\d+)/.exec(hand.note[1]) || [];
      bar.style.marginLeft = (keysOf(hand.classList).has(letter) ? 100 * (byte - first) / long : -9) + '%';
    };

    const speak = () => {
      const [subject, reason] = hand.note;
      if (!say || !reason) return;
      const b = make('b');
      b.textContent = subject;
      // A term has the colour of its axis; browsers may end a line behind the hyphen of an arrow or of 1e-05.
      say.firstChild.replaceChildren(b, '\u2002\u2002', ...reason.split(/(\d+\*-?\d+|->|\S*\de?-\d\S*)/).map((part, k) => {
        if (k % 2 < 1) return part;
        const [line, colour] = pens[(k >> 1) % 4];
        const bit = make('span');
        bit.textContent = part;
        bit.style = 'white-space:nowrap;' + (/\d\*/.test(part) ? repaint(`color:${colour};border-bottom:3px ${line}`, dark) : '');
        return bit;
      }));
      const names = [...new Set(lit.map((c) => c.note[0]))].filter((n) => n !== subject);
      say.lastChild.textContent = names[0] ? `Linked: ${names.slice(0, 9).join(', ')}${names[9] ? ' …' : '.'}` : 'Nothing else is linked.';
    };

    const show = (cell, quiet) => {
      hand = cell;
      lit.map((c) => c.classList.remove('tw-hot', 'tw-src'));
      const keys = keysOf(cell.classList);
      const near = [...keys].flatMap(([k, numbers]) => numbers.flatMap((n) => all('.' + k + n)));
      lit = [...new Set([cell, ...near])].filter((c) => c === cell || agree(keys, keysOf(c.classList)));
      lit.map((c) => c.classList.add('tw-hot'));
      cell.classList.add('tw-src');
      if (quiet) return;
      speak();
      all('.tw-hops').map(arch);
      all('.tw-at').map(mark);
    };

    const paint = () => {
      dark = isDark();
      root.classList.toggle('dark', dark);
      for (const e of [root, ...all('[style]')]) {
        const now = e.getAttribute('style');
        e.light ??= now.replace(/;box-shadow:[^;]*$/, '');
        const own = repaint(e.light, dark);
        own === now || e.setAttribute('style', own);
      }
    };

    const move = (dx, dy) => {
      const middle = (c) => {
        const { x, y, width, height } = c.getBoundingClientRect();
        return [x + width / 2, y + height / 2];
      };
      const [x, y] = middle(hand);
      let best, least = Infinity;
      for (const c of all('.tw-cell', hand.closest('.tw-view,table'))) {
        const [cx, cy] = middle(c);
        const ahead = dx * (cx - x) + dy * (cy - y);
        const far = ahead + 4 * Math.abs(dy * (cx - x) + dx * (cy - y));
        if (ahead > 2 && far < least) [best, least] = [c, far];
      }
      best?.focus();
    };

    const pin = (cell) => {
      pinned?.classList.remove('tw-pin');
      pinned = pinned === cell ? null : cell;
      pinned?.classList.add('tw-pin');
    };
    const on = (kind, act) => root.addEventListener(kind, (event) => {
      const cell = event.target.closest('.tw-cell');
      if (cell) act(cell, event);
    }, end);
    on('pointerover', (cell) => pinned || show(cell));
    on('click', (cell) => {
      pin(cell);
      show(cell);
    });
    on('focusin', (cell) => {
      all('.tw-cell', cell.closest('.tw-view,table')).map((c) => (c.tabIndex = -1));
      cell.tabIndex = 0;
      show(cell);
    });
    on('keydown', (cell, event) => {
      const { key } = event;
      const way = { ArrowRight: [1, 0], ArrowLeft: [-1, 0], ArrowDown: [0, 1], ArrowUp: [0, -1] }[key];
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      if (way) move(...way);
      else if (key === 'Enter' || key === ' ') pin(cell);
      else if (key === 'Escape' && pinned) pin(pinned);
      else return;
      event.preventDefault();
      event.stopPropagation();
    });

    for (const cell of cells) {
      const table = cell.closest('.tw-view,table');
      cell.note ??= cell.title.split(' | ');
      cell.title = '';
      cell.ariaLabel = cell.note[0] + ': ' + cell.textContent;
      cell.tabIndex = table.role ? -1 : 0;
      table.role = 'grid';
      cell.classList.add('tw-cell');
      cell.dataset.lmSuppressShortcuts = true;
    }
    if (say) say.ariaLive = 'polite';
    [root, ...all('.tw-wide')].map((box) => sizes.observe(box));
    paint();
    awake.set(root, paint);
    const css = make('style');
    css.textContent = `.tw{--h:#111418;--p:#fff;--f:#0069c2;forced-color-adjust:none;-webkit-print-color-adjust:exact;print-color-adjust:exact}.tw.dark{--h:#fff;--p:#111;--f:#6cb8ff}
.tw-cell{cursor:default;outline:0}.tw-hot{box-shadow:inset 0 0 0 2px var(--h)}.tw-src{box-shadow:inset 0 0 0 3px var(--h)}
.tw-pin{box-shadow:inset 0 0 0 2px var(--h),inset 0 0 0 3px var(--p),inset 0 0 0 4px var(--h)}
.tw:focus-visible,.tw :focus-visible{outline:3px solid var(--f);outline-offset:1px;position:relative;z-index:2}
.tw:focus-visible{outline-offset:-3px}
@media print{.tw{zoom:.8;break-inside:avoid}.tw,.tw-wide{overflow:visible!important}}`;
    root.dataset.tw || root.prepend(css);
    const [example] = [...all('.tw-src'), ...all('.tw-eg')];
    if (example) show(example, true);
    root.dataset.tw = 'ready';
    // live: return () => awake.delete(root);
  };

  return { keysOf, agree, hopsOf, repaint, isDark, mount };
}
