import { parentPort } from 'node:worker_threads';
import { StoreDamaged } from '../store-errors.js';
import { LogWriter } from './log-writer.js';
import { messageOf } from '../sqlite/sqlite-errors.js';
import type { FromWriter, ToWriter, WriterSetup } from './writer-messages.js';

const port = parentPort;
if (port === null) throw new Error('embedded-writer.js only runs as a worker thread');
const send = (message: FromWriter): void => port.postMessage(message);
let writer: LogWriter | null = null;

function open(setup: WriterSetup): void {
  try {
    writer = new LogWriter(setup);
    send({ kind: 'ready' });
  } catch (error) {
    const errcode = typeof error === 'object' && error !== null && 'errcode' in error ? Number(error.errcode) : null;
    send({ kind: 'unusable', message: messageOf(error), errcode, damage: error instanceof StoreDamaged ? error.offset : null });
  }
}

port.on('message', (message: ToWriter) => {
  if (message.kind === 'open') return open(message.setup);
  if (writer === null) throw new Error('the log is not open');
  if (message.kind === 'append') {
    writer.add(message.items);
    if (!message.last) return;
    send({ kind: 'appended', outcomes: writer.commit() });
    writer.readBack();
    return;
  }
  writer.close();
  writer = null;
  send({ kind: 'closed' });
});
