/** The part of pino's interface that the platform uses. */
export interface Logger {
  info(facts: object, message: string): void;
  error(facts: object, message: string): void;
}
