import { paths } from './paths';

/** A page that is built as HTML, for readers and search engines. */
export interface PublicPage {
  readonly path: string;
  /** Of the browser's tab and of link previews. */
  readonly title: string;
  readonly description: string;
  /** Whether signed-in users may read it; others are redirected to the projects. */
  readonly isForEverybody: boolean;
}

export const PUBLIC_PAGES = {
  landing: {
    path: paths.landing,
    title: 'Roughmix beta: finish songs together',
    description: 'Upload the track, mark the bar that bothers you, and finish the song with the people you trust. Invite-only beta for musicians.',
    isForEverybody: false,
  },
  login: {
    path: paths.login,
    title: 'Log In | Roughmix beta',
    description: 'Log in to Roughmix, or look around as a guest.',
    isForEverybody: false,
  },
  passwordReset: {
    path: paths.passwordReset,
    title: 'Reset Password | Roughmix beta',
    description: 'Ask for a link to set a new password for your Roughmix account.',
    isForEverybody: false,
  },
  contact: {
    path: paths.contact,
    title: 'Connect with Us | Roughmix beta',
    description: 'Write to the people who run Roughmix: questions, problems, copyright notices.',
    isForEverybody: true,
  },
  privacy: {
    path: paths.privacy,
    title: 'Privacy Policy | Roughmix beta',
    description: 'Which personal data Roughmix holds, what for, for how long, and what you can ask for.',
    isForEverybody: true,
  },
  terms: {
    path: paths.terms,
    title: 'Terms of Use | Roughmix beta',
    description: 'The rules for using Roughmix: accounts, your content and its licences, fees, liability, disputes and copyright notices.',
    isForEverybody: true,
  },
  projectsTerms: {
    path: paths.projectsTerms,
    title: 'Projects and Community Terms | Roughmix beta',
    description: 'Private and Public projects, Forking, and the licences between creators and collaborators on Roughmix.',
    isForEverybody: true,
  },
} as const satisfies Readonly<Record<string, PublicPage>>;
