/** The oldest Node that package.json allows, and the newest supported one, which the image uses. */
export const SUPPORTED = ['20.19.0', '24'];

const majorOf = (version) => version.split('.')[0];

/**
 * Which Node runs what, so that both ends of the supported range run the whole program: specs on the newest, which is also the fastest; adapters, journeys
 * and faults on the oldest. Undefined means the running one, which also runs the contracts.
 * @param {string} running a version such as 22.1.0
 */
export function nodesOfGate(running = process.versions.node) {
  const [oldest, newest] = SUPPORTED.map((version) => (majorOf(version) === majorOf(running) ? undefined : version));
  return { specs: newest, others: oldest };
}

/**
 * The result for a Node that npm cannot install: skipped, or failed in CI, where the registry must be reachable.
 * @param {string} version
 */
export const missingNodeResult = (version, isRequired) => ({
  line: `Node ${version}: ${isRequired ? 'failed' : 'skipped'}, this version is not available`,
  counts: { passed: 0, failed: isRequired ? 1 : 0, skipped: isRequired ? 0 : 1 },
});

/** Parts of the platform that are our own logic on top of the others. */
const OWN_LOGIC = ['config', 'leases', 'live', 'metrics', 'personal-data', 'projections', 'reactors', 'security', 'streams', 'timers'];

/**
 * The suites that also run on the oldest Node: those of what uses Node's modules and native packages (stores, web server, ciphers, child processes, audio).
 * Journeys and faults run the whole program there; the rest is our own logic.
 */
export const SUITES_PER_NODE = [
  `backend/src/platform/(?!(?:${OWN_LOGIC.join('|')})/)`,
  // Without suites that start the whole program (API, keys-rotate), and without real music, whose decoders are the same WebAssembly everywhere.
  'backend/src/(?:media|operations)/(?!keys-rotate|real-music)[^./]+\\.spec\\.ts$',
];
