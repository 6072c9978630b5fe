import { familyOf, isDecision, isImpureKind, isPublicToSlices, isPure, roomOf, roomOfImport } from './room-of.js';

// Packages that only one room may import, so that there is only one way to each server.
const owners = [
  { packages: /^@(?:eventstore|grpc)\//, rooms: ['backend/platform/event-store'] },
  { packages: /^mongodb$/, rooms: ['mongo', 'documents', 'vault'].map((port) => `backend/platform/${port}`) },
  { packages: /^@photostructure\/sqlite$/, rooms: ['event-store', 'documents', 'vault', 'sqlite'].map((port) => `backend/platform/${port}`) },
  { packages: /^@aws-sdk\//, rooms: ['backend/platform/blobs'] },
  { packages: /^kafkajs$/, rooms: ['backend/platform/stream-out'] },
  { packages: /^nodemailer$/, rooms: ['backend/platform/mail'] },
  { packages: /^web-push$/, rooms: ['backend/platform/push'] },
  { packages: /^wavesurfer\.js$/, rooms: ['frontend/shared/wave'] },
  { packages: /^soundtouchjs$/, rooms: ['frontend/feature/player'] },
];
const contractPackages = ['class-validator', 'class-transformer', 'reflect-metadata'];
const pureBuiltins = ['node:util', 'node:assert', 'node:buffer', 'node:path', 'node:url'];

/** Bodies of requests are classes, whose code would bring class-validator into the page. */
const isBody = (from, to, specifier) => from.workspace === 'frontend' && to.room === 'contracts' && /\.api(?:\.js)?$/.test(specifier);

/** Why a file may not import a module; undefined if it may. */
export function importProblem(importer, specifier, isTypeOnly = false) {
  const from = roomOf(importer);
  if (!from) return undefined;
  const to = roomOfImport(importer, specifier);
  if (to && !isTypeOnly && !from.isSpec && isBody(from, to, specifier)) return 'the page imports bodies of requests as types only';
  return to ? roomProblem(from, to) : packageProblem(from, specifier);
}

/** Test code may access servers directly, to prepare and inspect them. */
const isTestCode = ({ workspace, name }) => workspace === 'backend' && name === 'testing';

function packageProblem(from, specifier) {
  if (specifier.startsWith('.') || from.isSpec || isTestCode(from)) return undefined;
  const name = /^(?:@[^/]+\/)?[^/]+/.exec(specifier)?.[0] ?? specifier;
  if (from.room === 'contracts')
    return contractPackages.includes(name) ? undefined : `contracts may import class-validator and class-transformer only, not ${name}`;
  if (isPure(from) && !pureBuiltins.includes(specifier)) return `${nameOf(from)} is pure and imports no ${name}`;
  const owner = owners.find(({ packages }) => packages.test(name));
  const place = `${from.workspace}/${from.room}/${from.name}`;
  return owner && !owner.rooms.includes(place) ? `only ${owner.rooms.join(', ')} may import ${name}` : undefined;
}

function roomProblem(from, to) {
  if (to.room === 'contracts' && from.workspace !== 'contracts') return undefined;
  if (from.workspace !== to.workspace) return `${from.workspace} may not import ${to.workspace}`;
  if (from.isSpec || from.room === 'whole' || from.room === 'testing' || from.room === 'contracts') return undefined;
  const may = from.workspace === 'backend' ? isAllowedInBackend(from, to) : isAllowedInPage(from, to);
  return may ? undefined : `${nameOf(from)} may not import ${nameOf(to)}`;
}

function isAllowedInBackend(from, to) {
  if (to.room === 'kernel') return true;
  if (from.room === 'kernel') return false;
  if (from.room === 'platform') return to.room === 'platform';
  if (from.room === 'library') return to.room === 'library' || to.room === 'platform';
  if (isDecision(from)) return to.room === 'slice' && (familyOf(to) === familyOf(from) || (to.name === from.name && !isImpureKind(to)));
  if (to.room === 'platform' || to.room === 'library') return true;
  return to.room === 'slice' && (to.name === from.name || isPublicToSlices(to) || (from.kind === 'module' && to.kind === 'module'));
}

function isAllowedInPage(from, to) {
  if (from.room === 'service-worker') return to.room === 'service-worker';
  if (to.room === 'shared') return true;
  if (from.room === 'feature') return to.inner === 'app/paths' || (to.room === 'feature' && to.name === from.name);
  return from.room === 'app' && (to.room === 'app' || to.room === 'feature');
}

function nameOf(place) {
  if (place.room === 'kernel' || place.room === 'platform' || place.room === 'whole') return `${place.room} (${place.inner})`;
  if (place.room === 'feature') return `feature ${place.name}`;
  return place.room === 'slice' ? `${place.inner}` : place.room;
}
