/**
 * Every text that can be seen below the elements of a selector, with the least contrast that it has with what lies
 * behind it: the colours of its ancestors one over the other, and every colour of a gradient among them.
 * Used as a function by Playwright: it takes the selector and the least contrast that is enough. It tells how many texts
 * each picture has, and only those that have less: thousands of texts reach Python slower than they are found.
 */
([selector, enough]) => {
  const canvas = document.createElement('canvas').getContext('2d', { willReadFrequently: true });
  const known = new Map();
  /** A colour of the page as red, green, blue (0..255) and opacity (0..1), read from a painted dot. */
  const rgba = (colour) => {
    if (!known.has(colour)) {
      canvas.clearRect(0, 0, 1, 1);
      canvas.fillStyle = colour;
      canvas.fillRect(0, 0, 1, 1);
      const [r, g, b, a] = canvas.getImageData(0, 0, 1, 1).data;
      known.set(colour, [r, g, b, a / 255]);
    }
    return known.get(colour);
  };
  const over = ([r, g, b, a], below) => [r, g, b].map((v, k) => v * a + below[k] * (1 - a));
  const light = (rgb) => {
    const [r, g, b] = rgb.map((v) => (v / 255 <= 0.04045 ? v / 255 / 12.92 : ((v / 255 + 0.055) / 1.055) ** 2.4));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const contrast = (one, other) => {
    const [low, high] = [light(one), light(other)].sort((a, b) => a - b);
    return (high + 0.05) / (low + 0.05);
  };
  const behind = new Map();
  /** The colours that may lie behind an element's text. */
  const papers = (element) => {
    if (!element) return [[255, 255, 255]];
    if (!behind.has(element)) {
      const style = getComputedStyle(element);
      let below = papers(element.parentElement).map((paper) => over(rgba(style.backgroundColor), paper));
      const painted = style.backgroundImage.match(/rgba?\([^)]*\)/g) || [];
      if (painted.length) below = painted.flatMap((colour) => below.map((paper) => over(rgba(colour), paper)));
      behind.set(element, below);
    }
    return behind.get(element);
  };
  const opacities = new Map([[null, 1]]);
  /** What is left of an element's own opacity in the ancestors that hold it. */
  const opacityOf = (element) => {
    if (!opacities.has(element))
      opacities.set(element, opacityOf(element.parentElement) * +getComputedStyle(element).opacity);
    return opacities.get(element);
  };
  const counts = [], hard = [];
  for (const [picture, root] of [...document.querySelectorAll(selector)].entries()) {
    const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
    counts.push(0);
    while (walker.nextNode()) {
      const text = walker.currentNode;
      const element = text.parentElement;
      const range = document.createRange();
      range.selectNodeContents(text);
      const words = text.data.trim();
      const seen = words && element.checkVisibility({ checkVisibilityCSS: true }) && range.getClientRects().length;
      if (!seen || element.closest('style,script')) continue;
      const style = getComputedStyle(element);
      const [r, g, b, a] = rgba(style.color);
      const ink = [r, g, b, a * opacityOf(element)];
      const least = Math.min(...papers(element).map((paper) => contrast(over(ink, paper), paper)));
      counts[picture] += 1;
      if (!(least >= enough))
        hard.push({ picture, words, contrast: least, colour: style.color, element: element.tagName.toLowerCase() });
    }
  }
  return { counts, hard };
}
