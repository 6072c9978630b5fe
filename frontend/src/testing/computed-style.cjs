// For every question, jsdom matches all its rules against the element and its ancestors and parses a dozen colours. Queries by role ask thousands of times, and
// nearly always for these three properties, of which jsdom knows no other source than the following.
const INHERITED = { visibility: 'visible', 'pointer-events': 'auto' };
const propertyOf = (key) => (key === 'pointerEvents' ? 'pointer-events' : key);

const inlineOf = (element, property) => (element.hasAttribute('style') ? element.style.getPropertyValue(property) : '');

function inheritedValue(element, property) {
  for (let at = element; at !== null; at = at.parentElement) {
    const value = inlineOf(at, property);
    if (value !== '' && value !== 'unset') return value;
  }
  return INHERITED[property];
}

/** All that the browser's own rules for `display` ask of an element. */
const kindOf = (element) =>
  [
    element.namespaceURI,
    element.localName,
    ...['hidden', 'open'].map((name) => element.hasAttribute(name)),
    element.getAttribute('type'),
    element.parentElement?.localName === 'ruby',
  ].join();

const decided = ['display', ...Object.keys(INHERITED)];
const isDeclared = (rule) =>
  rule.style ? decided.some((property) => rule.style.getPropertyValue(property) !== '') : [...(rule.cssRules ?? [])].some(isDeclared);
const decides = (sheet) => [...sheet.cssRules].some(isDeclared);

/**
 * Lets `getComputedStyle` answer at once for `display`, `visibility` and `pointer-events`, unless a style sheet of the document declares one of them. jsdom answers
 * for the rest, when it is asked.
 */
exports.quickenComputedStyle = (window) => {
  const whole = window.getComputedStyle;
  const displays = new Map();

  function displayOf(element) {
    const inline = inlineOf(element, 'display');
    if (inline !== '') return inline === 'unset' ? '' : inline;
    const kind = kindOf(element);
    if (!displays.has(kind)) displays.set(kind, whole(element).display);
    return displays.get(kind);
  }

  function quickValue(element, property) {
    if (property === 'display') return displayOf(element);
    return Object.hasOwn(INHERITED, property) ? inheritedValue(element, property) : undefined;
  }

  function styleOf(element) {
    let style;
    const rest = () => (style ??= whole(element));
    return new Proxy(Object.create(window.CSSStyleDeclaration.prototype), {
      get(_target, key) {
        if (key === 'getPropertyValue') return (property) => quickValue(element, property) ?? rest().getPropertyValue(property);
        const quick = quickValue(element, propertyOf(key));
        if (quick !== undefined) return quick;
        const value = rest()[key];
        return typeof value === 'function' ? value.bind(rest()) : value;
      },
    });
  }

  window.getComputedStyle = (element, pseudo) => {
    const isPlain = element instanceof window.Element && !pseudo && ![...window.document.styleSheets].some(decides);
    return isPlain ? styleOf(element) : whole(element, pseudo);
  };
};
