/** The people of the demo, with faces that the server would generate for them. infra/site-pictures.mjs makes them. */
export const FACES = { Ines: '/site/faces/ines.svg', Ravi: '/site/faces/ravi.svg', Maud: '/site/faces/maud.svg', Sam: '/site/faces/sam.svg' } as const;

export type DemoPerson = keyof typeof FACES;
