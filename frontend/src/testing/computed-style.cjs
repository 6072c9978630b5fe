// For every question, jsdom matches all its rules against the element and its ancestors and parses a dozen colours. Queries by role ask thousands of times, and
// nearly always for these properties, of which jsdom knows no other source than the following.
const INHERITED = { visibility: 'visible', 'pointer-events': 'auto' };
/** Elements have none of these but in their own `style`. */
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

/** All that the browser's own rules for `display` ask of an element. */
const kindOf = (element) =>
  [
    element.namespaceURI,
    element.localName,
    ...['hidden', 'open'].map((name) => element.hasAttribute(name)),
    element.getAttribute('type'),
    element.parentElement?.localName === 'ruby',
  ].join();
/** What those rules say of each kind, as jsdom found it. */
const displays = new Map();

const isDeclared = (rule) =>
  rule.style ? Array.from(rule.style).some((property) => PROPERTIES.includes(property) || isCustom(property)) : [...(rule.cssRules ?? [])].some(isDeclared);
const decides = (sheet) => [...sheet.cssRules].some(isDeclared);

/**
 * Lets `getComputedStyle` answer at once whether an element is displayed, visible, open to the pointer and scrolled, and for custom properties, unless a style sheet
 * of the document declares one of these. jsdom answers for the rest, when it is asked.
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
