import { Menu, X } from 'lucide-react';
import { type KeyboardEvent, useRef, useState } from 'react';
import { Link } from 'react-router-dom';
import { paths } from '../../app/paths';
import { useSession } from '../../shared/session/session-provider';
import { buttonClass } from '../../shared/ui/button-class';
import { classNames } from '../../shared/ui/class-names';
import { Icon } from '../../shared/ui/icon';
import { Logo } from '../../shared/ui/logo';
import { BackLink, ContactLink } from './head-links';
import { InvitePopover } from './invite-popover';
import { LogInPopover } from './log-in-popover';
import styles from './site-header.module.css';

interface SiteHeaderProps {
  /** The link beside the menu, which stays visible on narrow screens. */
  readonly link: 'contact' | 'back';
}

/** The bar of the landing page and the legal pages. Under 917 px a button opens its menu. */
export function SiteHeader({ link }: SiteHeaderProps) {
  const { user } = useSession();
  const [isOpen, setOpen] = useState(false);
  const burger = useRef<HTMLButtonElement>(null);
  // An open form in the menu keeps Escape to itself.
  const onKeyDown = ({ key }: KeyboardEvent) => {
    if (key !== 'Escape' || !isOpen) return;
    setOpen(false);
    burger.current?.focus();
  };
  return (
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- listens to what its buttons leave unhandled
    <header className={styles.header} onKeyDown={onKeyDown}>
      <Link to={user === null ? paths.landing : paths.projects} className={styles.home}>
        <Logo />
      </Link>
      {link === 'contact' ? <ContactLink /> : <BackLink />}
      <button
        ref={burger}
        type="button"
        className={classNames('ib', styles.burger)}
        aria-label="Menu"
        aria-expanded={isOpen}
        aria-controls="site-menu"
        onClick={() => setOpen(!isOpen)}
      >
        <Icon of={isOpen ? X : Menu} size={24} />
      </button>
      <nav id="site-menu" aria-label="Main" className={classNames(styles.menu, isOpen && styles.open)}>
        {user === null ? (
          <>
            <LogInPopover />
            <InvitePopover />
          </>
        ) : (
          <Link to={paths.projects} className={buttonClass({ variant: 'outline', size: 'l' })}>
            Projects
          </Link>
        )}
      </nav>
    </header>
  );
}
