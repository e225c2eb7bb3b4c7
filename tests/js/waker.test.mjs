// The arithmetic of the waker, under node with a document that does nothing. The browser tests run the cut form that
// pictures carry.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import test from 'node:test';
import vm from 'node:vm';

const LIGHT = ['056fad', '906200', '007a58', '9e4f7c', 'ffffff', '16191d'];
const DARK = ['3f9add', 'e69f00', '20a97d', 'cc79a7', '111111', 'eceef1'];
const colours = btoa(String.fromCharCode(...LIGHT.flatMap((hex, k) =>
  [...(hex + DARK[k]).match(/../g)].map((two) => parseInt(two, 16)))));

const stub = () => ({ className: '', dataset: {}, getAttribute: () => null });

function wakerIn(document, night = false, printed = false) {
  const source = readFileSync(new URL('../../tensorwidgets/pictures/drawing/waker.js', import.meta.url), 'utf8');
  const context = vm.createContext({
    document, atob, matchMedia: (query) => ({ matches: query === 'print' ? printed : night }), MutationObserver: class { observe() {} },
    ResizeObserver: class { observe() {} },
  });
  return vm.runInContext(`(${source.slice(source.indexOf('function waker'))})`, context)(colours);
}

const page = () => ({ documentElement: stub(), body: stub() });
const waker = wakerIn(page());
const keys = (...names) => waker.keysOf(names);
const plain = (value) => JSON.parse(JSON.stringify(value));

test('letters are read from classes, several numbers of one letter too', () => {
  const found = keys('k-A9', 'k-A10', 'tw-cell', 'i-j2', 'k-AA3', 'k-', 'k-a', 'link-A9');
  assert.deepEqual(plain([...found]), [['k-A', ['9', '10']], ['i-j', ['2']], ['k-AA', ['3']]]);
});

test('one rule: share a letter, and agree in every letter that is shared', () => {
  assert.equal(waker.agree(keys('k-A9'), keys('k-A9')), true);
  assert.equal(waker.agree(keys('k-A9'), keys('k-A8')), false);
  assert.equal(waker.agree(keys('k-A9'), keys('k-B9')), false);
  assert.equal(waker.agree(keys('i-i1', 'i-k2'), keys('i-i1', 'i-j0')), true);
  assert.equal(waker.agree(keys('i-i1', 'i-k2'), keys('i-i1', 'i-k3')), false);
  assert.equal(waker.agree(keys('k-A9'), keys('i-A9')), false);
  assert.equal(waker.agree(keys(), keys('k-A9')), false);
});

test('an element of several units meets each of them', () => {
  const wide = keys('k-A2', 'k-A3');
  assert.equal(waker.agree(wide, keys('k-A3')), true);
  assert.equal(waker.agree(keys('k-A3', 'k-A4'), wide), true);
  assert.equal(waker.agree(wide, keys('k-A4')), false);
});

test('the rule looks the same from both ends', () => {
  const some = [keys('k-A1'), keys('k-A1', 'k-A2'), keys('i-i1', 'i-j2'), keys('i-j2', 'i-k0'), keys('i-i0')];
  for (const one of some) for (const other of some) assert.equal(waker.agree(one, other), waker.agree(other, one));
});

test('hops are read from the sentence, forwards first', () => {
  assert.deepEqual(plain(waker.hopsOf('offset = 0 + 1*1 + 2*4 = 9 -> bytes 36..39')), [[0, 0, 1], [1, 1, 4], [1, 5, 4]]);
  assert.deepEqual(plain(waker.hopsOf('offset = 3 + 1*4 + 2*-1 = 5 -> bytes 20..23')), [[0, 3, 4], [1, 7, -1], [1, 6, -1]]);
  assert.deepEqual(plain(waker.hopsOf('offset = 11 + 2*-4 + 0*1 = 3 -> byte 3')), [[0, 11, -4], [0, 7, -4]]);
  assert.deepEqual(plain(waker.hopsOf('offset = 4 + 2*0 + 1*1 = 5 -> bytes 0..3')), [[1, 4, 1]]);
});

test('a sentence without a sum has no hops', () => {
  for (const reason of ['offset = 4 -> bytes 16..19', '19 at bytes 36..39, read by x[2, 1]', '= 20 + 3', '', 'byte = 1 + 2*5 = 11'])
    assert.deepEqual(plain(waker.hopsOf(reason)), []);
});

test('colours change to their partners and back to what they were', () => {
  const style = 'color:#16191d;background:#ffffff linear-gradient(135deg,#056fad 0 4%,#0000 0 25%);border:1px solid #abcdef';
  assert.equal(waker.repaint(style, false), style);
  assert.equal(waker.repaint(style, true), style.replace('#16191d', '#eceef1').replace('#ffffff', '#111111').replace('#056fad', '#3f9add'));
});

test('what is printed is light, whatever the host and the person have set', () => {
  const document = page();
  document.body.dataset.jpThemeLight = 'false';
  assert.equal(wakerIn(document, true).isDark(), true);
  assert.equal(wakerIn(document, true, true).isDark(), false);
});

test('dark paper is what the host says, else what the person has set', () => {
  const host = (change, night) => {
    const document = page();
    change(document);
    return wakerIn(document, night).isDark();
  };
  const nothing = () => {};
  assert.equal(host(nothing, false), false);
  assert.equal(host(nothing, true), true);
  assert.equal(host((d) => { d.body.dataset.jpThemeLight = 'false'; }, false), true);
  assert.equal(host((d) => { d.body.dataset.jpThemeLight = 'true'; }, true), false);
  assert.equal(host((d) => { d.body.className = 'vscode-dark other'; }, false), true);
  assert.equal(host((d) => { d.body.className = 'vscode-light'; }, true), false);
  assert.equal(host((d) => { d.documentElement.getAttribute = () => 'dark'; }, false), true);
  assert.equal(host((d) => { d.documentElement.dataset.theme = 'dark'; }, false), true);
  assert.equal(host((d) => { d.documentElement.dataset.theme = 'light'; }, true), false);
  assert.equal(host((d) => { d.body.className = 'dark'; }, false), true);
  assert.equal(host((d) => { d.body.className = 'my-darkroom'; }, false), false);
});
