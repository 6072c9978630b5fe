/**
 * A port for a program that starts soon, chosen as specs choose theirs. Loaded when it is asked for: whoever imports this may run before the build.
 * @returns {Promise<string>}
 */
export const freePort = async () => (await import('../../../backend/dist/testing/free-port.js')).freePort();
