export type WelcomeStage = 'form' | 'completing' | 'done';

/** What a profile's completion leads to: 0 the form, above 0 the projects, anything else a wait. */
export const welcomeStage = (profileCompletion: number): WelcomeStage => (profileCompletion === 0 ? 'form' : profileCompletion > 0 ? 'done' : 'completing');
