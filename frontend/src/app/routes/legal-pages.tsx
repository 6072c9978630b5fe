import { LegalPage } from '../../features/front-door/legal/legal-page';
import { PRIVACY } from '../../features/front-door/legal/privacy';
import { PROJECTS_TERMS } from '../../features/front-door/legal/projects-terms';
import { TERMS } from '../../features/front-door/legal/terms';
import { usePageTitle } from '../../shared/hooks/use-page-title';
import { PUBLIC_PAGES } from '../public-pages';

/** The privacy policy. */
export function PrivacyPage() {
  usePageTitle(PUBLIC_PAGES.privacy.title);
  return <LegalPage document={PRIVACY} />;
}

/** The terms of use. */
export function TermsPage() {
  usePageTitle(PUBLIC_PAGES.terms.title);
  return <LegalPage document={TERMS} />;
}

/** The terms of projects and of the community. */
export function ProjectsTermsPage() {
  usePageTitle(PUBLIC_PAGES.projectsTerms.title);
  return <LegalPage document={PROJECTS_TERMS} />;
}
