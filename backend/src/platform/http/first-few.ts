/** How many different ones are told apart: enough for a misconfigured proxy or name, and no way to fill the log. */
const MOST = 20;

/** Says of each text once that it is new, up to a limit, for warnings about what clients send. */
export class FirstFew {
  private readonly known = new Set<string>();

  isNew(text: string): boolean {
    if (this.known.size >= MOST || this.known.has(text)) return false;
    this.known.add(text);
    return true;
  }
}
