/** The problems that every page may have to name itself. Apart from the others, whose texts the first page would otherwise load. */
export const BASIC_PROBLEMS = {
  'guest.read-only': [403, "Guests aren't allowed to edit data."],
  'store.away': [503, 'Roughmix cannot reach its data right now. Please try again soon.'],
  internal: [500, 'Something went wrong on our side.'],
} as const satisfies Record<string, readonly [status: number, detail: string]>;

/** The user-facing sentence of one of these codes. */
export const basicDetailOf = (code: keyof typeof BASIC_PROBLEMS): string => BASIC_PROBLEMS[code][1];
