/**
 * A free port for a program about to start, chosen as in the specs. Imported lazily, because this module may be loaded before the build.
 * @returns {Promise<string>}
 */
export const freePort = async () => (await import('../../../backend/dist/testing/free-port.js')).freePort();
