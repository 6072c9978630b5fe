import { posix } from 'node:path';

const inSource = /(?:^|\/)(contracts|backend|frontend)\/src\/(.+)$/;
const wholeBackend = ['demo', 'operations', 'testing'];
const impureKinds = ['controller', 'handlers', 'handler', 'queries', 'streams', 'module', 'reactor', 'timer', 'service', 'guard', 'gateway'];

/**
 * Classifies a file: its workspace, its room there (contracts, kernel, platform, slice, library, app, feature, shared, testing, or
 * 'whole' for files that compose a workspace), the name of the slice, feature, port or shared folder, and its kind (the suffix before
 * .ts). Undefined outside the three workspaces.
 */
export function roomOf(path) {
  const [, workspace, inner] = inSource.exec(path.replaceAll('\\', '/')) ?? [];
  if (!workspace) return undefined;
  const parts = inner.split('/');
  const file = parts.at(-1).replace(/\.(?:js|tsx?|mts)$/, '');
  const place = { workspace, inner: inner.replace(/\.(?:js|tsx?|mts)$/, ''), kind: file.includes('.') ? file.slice(file.indexOf('.') + 1) : '' };
  return { ...place, isSpec: /(?:^|\.)(?:spec|contract)$/.test(place.kind), ...roomWithin(workspace, parts) };
}

function roomWithin(workspace, parts) {
  if (workspace === 'contracts') return { room: 'contracts', name: parts[0] };
  if (parts.length === 1) return { room: 'whole', name: '' };
  if (workspace === 'backend') return backendRoom(parts);
  if (parts[0] === 'features') return { room: 'feature', name: parts[1] };
  return { room: parts[0], name: parts[0] === 'shared' && parts.length > 2 ? parts[1] : parts[0] };
}

function backendRoom([first, second, third]) {
  // A slice to copy keeps to the rules of slices.
  if (first === 'testing' && second === 'sample-slice' && third !== undefined) return { room: 'slice', name: second };
  if (first === 'demo' && second === 'music' && third !== undefined) return { room: 'library', name: second };
  if (wholeBackend.includes(first)) return { room: 'whole', name: first };
  if (first === 'kernel') return { room: 'kernel', name: first };
  if (first === 'platform') return { room: 'platform', name: third === undefined ? '' : second };
  return { room: 'slice', name: first };
}

/** Deciders, projectors, the kernel and access rules: same input, same output, on the server and in the browser. */
export function isPure(place) {
  if (!place || place.isSpec) return false;
  return place.room === 'kernel' || isDecision(place) || (place.room === 'contracts' && place.kind === 'access');
}

// A decider, its state and its folds are one family, because the deciders of a project's parts receive the project's state.
const families = { decider: 'decider', state: 'decider', folds: 'decider', projector: 'projector' };

/** The family of a slice's pure file; undefined for other files. */
export const familyOf = ({ room, kind }) => (room === 'slice' ? families[kind] : undefined);

/** A decider with its state and folds, or a projector. */
export const isDecision = (place) => familyOf(place) !== undefined;

/** The files that other slices may import: queries, and the writer of its streams. */
export const isPublicToSlices = (place) => place.kind === 'queries' || place.kind === 'streams';

/** A slice's file with side effects (controller, handlers, queries and so on). */
export const isImpureKind = (place) => impureKinds.includes(place.kind);

/** The file of ours that an import resolves to; undefined for packages. */
export function roomOfImport(importer, specifier) {
  if (specifier.startsWith('.')) return roomOf(posix.join(posix.dirname(importer.replaceAll('\\', '/')), specifier));
  const inContracts = /^@roughmix\/contracts\/(.+)$/.exec(specifier);
  if (inContracts) return roomOf(`contracts/src/${inContracts[1]}`);
  const other = /^@roughmix\/(backend|frontend)(?:\/(.*))?$/.exec(specifier);
  return other ? roomOf(`${other[1]}/src/${other[2] ?? 'main.ts'}`) : undefined;
}
