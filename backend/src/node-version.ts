/** As package.json's `engines` says. */
const OLDEST = [20, 19] as const;

/** Why this version of Node cannot run the program; null if it can. Older ones fail with a syntax error in some package, so the entries check before they load any. */
export function nodeTooOld(version: string): string | null {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  if (major > OLDEST[0] || (major === OLDEST[0] && minor >= OLDEST[1])) return null;
  return `Roughmix needs Node ${OLDEST.join('.')} or newer; this is v${version}. See https://nodejs.org`;
}
