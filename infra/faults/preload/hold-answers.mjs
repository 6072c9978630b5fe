// Holds back the results of appends whose command id ends with HOLD_ANSWERS, so that their requests never get an answer.
import { EmbeddedEventStore } from '../../../backend/dist/platform/event-store/embedded-event-store.js';

const { append } = EmbeddedEventStore.prototype;
EmbeddedEventStore.prototype.append = async function untold(stream, expected, events) {
  const appended = await append.call(this, stream, expected, events);
  if (events.some(({ meta }) => meta.commandId?.endsWith(process.env.HOLD_ANSWERS))) await new Promise(() => undefined);
  return appended;
};
