/** What the platform logs with: an event in standard terms, and the facts that belong to it. */
export interface Logger {
  info(facts: object, message: string): void;
  error(facts: object, message: string): void;
}
