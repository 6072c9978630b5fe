import { backup } from './backup.operation.js';
import { backupVerify } from './backup-verify.operation.js';
import { eventsCompareTopic } from './events-compare-topic.operation.js';
import { eventsExport } from './events-export.operation.js';
import { eventsTail } from './events-tail.operation.js';
import { eventsVerify } from './events-verify.operation.js';
import { filesSweep } from './files-sweep.operation.js';
import { move } from './move.operation.js';
import { keysRotate } from './keys-rotate.operation.js';
import { mailSend } from './mail-send.operation.js';
import { mailStatus } from './mail-status.operation.js';
import type { Operation } from './operation.js';
import { projectionsRebuild } from './projections-rebuild.operation.js';
import { projectionsStatus } from './projections-status.operation.js';
import { reactorsReplay } from './reactors-replay.operation.js';
import { reactorsRewind } from './reactors-rewind.operation.js';
import { reactorsStatus } from './reactors-status.operation.js';
import { restore } from './restore.operation.js';
import { settle } from './settle.operation.js';
import { usersErase } from './users-erase.operation.js';

/** Every operation, in the order of the help text. */
export const OPERATIONS: readonly Operation[] = [
  eventsTail,
  eventsExport,
  eventsVerify,
  eventsCompareTopic,
  projectionsStatus,
  projectionsRebuild,
  reactorsStatus,
  reactorsReplay,
  reactorsRewind,
  mailSend,
  mailStatus,
  backup,
  backupVerify,
  restore,
  usersErase,
  keysRotate,
  filesSweep,
  move,
  settle,
];
