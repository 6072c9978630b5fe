// For each getComputedStyle, jsdom matches all its rules against the element and its ancestors and parses a dozen colours. Queries by role call it thousands of
// times, nearly always for these properties. Without style sheets, jsdom takes them from inline styles and its own rules for `display` only.
const INHERITED = { visibility: 'visible', 'pointer-events': 'auto' };
/** Set by the element's inline style only. */
const OWN = ['overflow', 'overflow-x', 'overflow-y'];
const PROPERTIES = ['display', ...Object.keys(INHERITED), ...OWN];
const propertyOf = new Map(PROPERTIES.map((property) => [property.replaceAll(/-([a-z])/g, (_, letter) => letter.toUpperCase()), property]));
const isCustom = (property) => String(property).startsWith('--');

const inlineOf = (element, property) => (element.hasAttribute('style') ? element.style.getPropertyValue(property) : '');

function inheritedValue(element, property) {
  for (let at = element; at !== null; at = at.parentElement) {
    const value = inlineOf(at, property);
    if (value !== '' && value !== 'unset') return value;
  }
  return INHERITED[property];
}

/** All that jsdom's own rules for `display` depend on. */
const kindOf = (element) =>
  [
    element.namespaceURI,
    element.localName,
    ...['hidden', 'open'].map((name) => element.hasAttribute(name)),
    element.getAttribute('type'),
    element.parentElement?.localName === 'ruby',
  ].join();
/** Display by kind, as jsdom computed it. */
const displays = new Map();

const declaresOne = (rule) =>
  rule.style ? Array.from(rule.style).some((property) => PROPERTIES.includes(property) || isCustom(property)) : [...(rule.cssRules ?? [])].some(declaresOne);
const decides = (sheet) => [...sheet.cssRules].some(declaresOne);

/**
 * Answers `getComputedStyle` for these and custom properties without jsdom, unless a style sheet of the document declares one of them. jsdom still computes all
 * other properties, when they are read.
 */
exports.quickenComputedStyle = (window) => {
  const whole = window.getComputedStyle;

  function displayOf(element) {
    const inline = inlineOf(element, 'display');
    if (inline !== '') return inline;
    const kind = kindOf(element);
    if (!displays.has(kind)) displays.set(kind, whole(element).display);
    return displays.get(kind);
  }

  function quickValue(element, property) {
    if (Object.hasOwn(INHERITED, property)) return inheritedValue(element, property);
    const value = property === 'display' ? displayOf(element) : inlineOf(element, property);
    return value === 'unset' ? '' : value;
  }

  function styleOf(element) {
    let style;
    const rest = () => (style ??= whole(element));
    const valueOf = (property) => (PROPERTIES.includes(property) || isCustom(property) ? quickValue(element, property) : rest().getPropertyValue(property));
    return new Proxy(Object.create(window.CSSStyleDeclaration.prototype), {
      get(_target, key) {
        if (key === 'getPropertyValue') return valueOf;
        const property = propertyOf.get(key);
        if (property !== undefined) return quickValue(element, property);
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
