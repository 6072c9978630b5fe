/** Acknowledged and unanswered commands, for checking the log against. */
export class Ledger {
  /** By command id: the user, the acknowledged position and the sender's notes. */
  acknowledged = new Map();
  /** Sent without an answer: stored or not, but never twice or partly. */
  unknown = new Set();
  /** Refused with this status: must not be stored. */
  refused = new Map();
  /** The event types of a command, if the sender stated them: answered or not, all or none must be stored. */
  types = new Map();
  /** Deferred with 503 and retried, so their events may be much older than the last answer. */
  deferred = new Set();

  /** @param {{ isPatient?: boolean }} options `isPatient`: deferred commands are retried under their key, as `Client.insist` does */
  constructor({ isPatient = false } = {}) {
    this.isPatient = isPatient;
  }

  /**
   * Sends a command under a new key and records the outcome.
   * @param {string[]} types the event types that the command appends, in order; null if unknown
   */
  async send(who, { method = 'POST', path, body, key = crypto.randomUUID(), types = null, facts = {} }) {
    const answer = await (this.isPatient ? who.insist(method, path, body, { key }) : who.call(method, path, body, { key }));
    if (answer.deferred?.length > 0) this.deferred.add(key);
    this.note(who, key, answer, { types, facts });
    return answer;
  }

  note(who, key, answer, { types = null, facts = {} } = {}) {
    if (types !== null) this.types.set(key, types.join(' '));
    if (answer.status >= 200 && answer.status < 300) {
      const position = Number(answer.headers['x-position'] ?? 0);
      this.acknowledged.set(key, { uid: who.uid, position, facts, body: answer.body });
      this.unknown.delete(key);
    } else if (answer.status === 0 || answer.status >= 500) this.unknown.add(key);
    else this.refused.set(key, answer.status);
  }

  /** The problems of a log that must contain all of this, as sentences. */
  missingIn(events) {
    const wrong = [];
    const byCommand = Map.groupBy === undefined ? groupBy(events) : Map.groupBy(events, (event) => event.meta.commandId);
    for (const [key, { uid, position }] of this.acknowledged) {
      const found = byCommand.get(key) ?? [];
      if (found.length === 0) {
        if (position > 0) wrong.push(`acknowledged at position ${position} and lost: command ${key}`);
        continue;
      }
      if (found.some((event) => event.meta.actorUid !== uid)) wrong.push(`command ${key} carries another actor`);
      if (found.at(-1).position !== position) wrong.push(`command ${key} was acknowledged at ${position}, but is stored at ${found.at(-1).position}`);
    }
    for (const [key, found] of byCommand) {
      const [left, all] = [found.map((event) => event.type).join(' '), this.types.get(key)];
      if (all !== undefined && left !== all) wrong.push(`command ${key} left ${left}, not ${all}`);
      if (found.some((event, at) => event.position !== found[0].position + at)) wrong.push(`the events of command ${key} are not contiguous`);
      if (this.refused.has(key) && !this.acknowledged.has(key)) wrong.push(`refused with ${this.refused.get(key)} but stored: command ${key}`);
    }
    return wrong;
  }
}

function groupBy(events) {
  const groups = new Map();
  for (const event of events) groups.set(event.meta.commandId, [...(groups.get(event.meta.commandId) ?? []), event]);
  return groups;
}
