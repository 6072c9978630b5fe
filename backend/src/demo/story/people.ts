/** The demo's password is public: it is printed at the start. */
export const DEMO_PASSWORD = 'tape-hiss-and-tea';

export type PersonName = 'ines' | 'ravi' | 'maud' | 'sam';

export interface DemoPerson {
  /** Also the username. */
  readonly name: PersonName;
  readonly firstName: string;
  readonly lastName: string;
  readonly email: string;
}

export const demoPeople: readonly DemoPerson[] = [
  { name: 'ines', firstName: 'Ines', lastName: 'Calder', email: 'ines@roughmix.example' },
  { name: 'ravi', firstName: 'Ravi', lastName: 'Menon', email: 'ravi@roughmix.example' },
  { name: 'maud', firstName: 'Maud', lastName: 'Delacroix', email: 'maud@roughmix.example' },
  { name: 'sam', firstName: 'Sam', lastName: 'Whitlock', email: 'sam@roughmix.example' },
];

/** Printed on the terminal once the demo exists. */
export const demoWelcome: readonly string[] = [
  ...demoPeople.map(({ firstName, lastName, email }) => `Sign in as ${firstName} ${lastName}: ${email}, password ${DEMO_PASSWORD}`),
  'Or look around as the guest, who sees the public project Low Tide.',
];
