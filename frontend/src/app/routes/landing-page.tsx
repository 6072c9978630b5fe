import { Closing } from '../../features/front-door/landing/closing';
import { Features } from '../../features/front-door/landing/features';
import { HeroStage } from '../../features/front-door/landing/hero-stage';
import styles from '../../features/front-door/landing/landing.module.css';
import { LandingHero } from '../../features/front-door/landing/landing-hero';
import { SiteFooter } from '../../features/front-door/site-footer';
import { SiteHeader } from '../../features/front-door/site-header';
import { usePageTitle } from '../../shared/hooks/use-page-title';
import { PUBLIC_PAGES } from '../public-pages';

/** The landing page. */
export function LandingPage() {
  usePageTitle(PUBLIC_PAGES.landing.title);
  return (
    <div className={styles.page}>
      <SiteHeader link="contact" />
      <main>
        <LandingHero />
        <HeroStage />
        <div className={styles.column}>
          <Features />
        </div>
        <Closing />
      </main>
      <SiteFooter />
    </div>
  );
}
