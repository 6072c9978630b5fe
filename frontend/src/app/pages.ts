// Lazy parts of the page in one file, so they can also be preloaded.
export const loadSignedInArea = async () => ({ Component: (await import('./signed-in-area')).SignedInArea });
export const loadShell = async () => ({ Component: (await import('./shell')).Shell });
export const loadLogin = async () => ({ Component: (await import('./routes/login-page')).LoginPage });
export const loadReset = async () => ({ Component: (await import('./routes/reset-page')).ResetPage });
export const loadResetLink = async () => ({ Component: (await import('./routes/reset-link-page')).ResetLinkPage });
export const loadContact = async () => ({ Component: (await import('./routes/contact-page')).ContactPage });
export const loadRegister = async () => ({ Component: (await import('./routes/register-page')).RegisterPage });
export const loadInvite = async () => ({ Component: (await import('./routes/invite-page')).InvitePage });
export const loadProjects = async () => ({ Component: (await import('./routes/projects-page')).ProjectsPage });
export const loadProject = async () => ({ Component: (await import('./routes/project-page')).ProjectPage });
export const loadHome = async () => ({ Component: (await import('./routes/profile-page')).HomePage });
export const loadProfile = async () => ({ Component: (await import('./routes/profile-page')).ProfilePage });
export const loadLanding = async () => ({ Component: (await import('./routes/landing-page')).LandingPage });
export const loadPrivacy = async () => ({ Component: (await import('./routes/legal-pages')).PrivacyPage });
export const loadTerms = async () => ({ Component: (await import('./routes/legal-pages')).TermsPage });
export const loadProjectsTerms = async () => ({ Component: (await import('./routes/legal-pages')).ProjectsTermsPage });
export const loadWelcome = async () => ({ Component: (await import('./routes/welcome-page')).WelcomePage });
