/** Work of which each person has one piece at a time; others do not wait for it. */
export class PersonalTurns {
  private readonly last = new Map<string, Promise<unknown>>();

  /** Runs work after the person's earlier work. */
  run<Answer>(person: string, work: () => Promise<Answer>): Promise<Answer> {
    const mine = (this.last.get(person) ?? Promise.resolve()).then(work, work);
    const done = mine
      .catch(() => undefined) // reported to its own caller
      .then(() => {
        if (this.last.get(person) === done) this.last.delete(person);
      });
    this.last.set(person, done);
    return mine;
  }
}
