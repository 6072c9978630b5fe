/** What was acknowledged, and what was sent without an answer: the promises that a log is held to. */
export class Ledger {
  /** By command id: who, the position told, and what else the sender wants to remember. */
  acknowledged = new Map();
  /** Sent, but the answer never came: there or not, but never twice and never half. */
  unknown = new Set();
  /** Refused with this status: must not be there. */
  refused = new Map();
  /** The event types that a command leaves, where the sender says: answered or not, all of them are there or none. */
  types = new Map();
  /** Answered at first with 503 and when to come again, and sent again: what stands of them may stand for long when the last answer comes. */
  putOff = new Set();

  /** @param {{ isPatient?: boolean }} options `isPatient`: what is put off is sent again under its key, as `Client.insist` does */
  constructor({ isPatient = false } = {}) {
    this.isPatient = isPatient;
  }

  /**
   * Sends a command with a key of its own and notes what came of it.
   * @param {string[]} types the event types that the command appends, in order; null when the sender does not say
   */
  async send(who, { method = 'POST', path, body, key = crypto.randomUUID(), types = null, facts = {} }) {
    const answer = await (this.isPatient ? who.insist(method, path, body, { key }) : who.call(method, path, body, { key }));
    if (answer.putOff?.length > 0) this.putOff.add(key);
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

  /** What is wrong with a log that has to hold all this, as sentences. */
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
      if (found.at(-1).position !== position) wrong.push(`command ${key} was acknowledged at ${position}, it lies at ${found.at(-1).position}`);
    }
    for (const [key, found] of byCommand) {
      const [left, all] = [found.map((event) => event.type).join(' '), this.types.get(key)];
      if (all !== undefined && left !== all) wrong.push(`command ${key} left ${left}, not ${all}`);
      if (found.some((event, at) => event.position !== found[0].position + at)) wrong.push(`the events of command ${key} do not lie together`);
      if (this.refused.has(key) && !this.acknowledged.has(key)) wrong.push(`refused with ${this.refused.get(key)} and there all the same: command ${key}`);
    }
    return wrong;
  }
}

function groupBy(events) {
  const groups = new Map();
  for (const event of events) groups.set(event.meta.commandId, [...(groups.get(event.meta.commandId) ?? []), event]);
  return groups;
}
