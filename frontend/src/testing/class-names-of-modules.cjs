// A CSS module as specs see it: each class is called what the style sheet calls it.
module.exports = new Proxy({}, { get: (_, name) => (typeof name === 'string' && name !== '__esModule' ? name : undefined) });
