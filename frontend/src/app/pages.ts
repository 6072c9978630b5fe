// One file for what is loaded late, so that it can be fetched ahead as well.
export const loadShell = async () => ({ Component: (await import('./shell')).Shell });
export const loadLogin = async () => ({ Component: (await import('./routes/login-page')).LoginPage });
export const loadProjects = async () => ({ Component: (await import('./routes/projects-page')).ProjectsPage });
export const loadProject = async () => ({ Component: (await import('./routes/project-page')).ProjectPage });
