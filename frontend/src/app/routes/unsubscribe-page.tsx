import { tokenParts } from '@roughmix/contracts/mailings/mailing.js';
import { detailOf } from '@roughmix/contracts/shared/problems.js';
import { useEffect, useRef, useState } from 'react';
import { Link, useParams } from 'react-router-dom';
import { UnsubscribeForm } from '../../features/front-door/unsubscribe-form';
import { useSession } from '../../shared/session/session-provider';
import { Banner } from '../../shared/ui/banner';
import { buttonClass } from '../../shared/ui/button-class';
import type { CameFrom } from '../guards';
import { paths } from '../paths';
import { FrontPage } from './front-page';
import { NoIndex } from './no-index';

/** To the settings, which turn each kind of e-mail on and off. `takesFocus`: it replaces the button that had it. */
function NextLink({ takesFocus }: { readonly takesFocus: boolean }) {
  const { user } = useSession();
  const link = useRef<HTMLAnchorElement>(null);
  useEffect(() => {
    if (takesFocus) link.current?.focus();
  }, [takesFocus]);
  const isSignedIn = user !== null && !user.isGuest;
  const settings = paths.settings('notifications');
  const afterLogin: CameFrom = { from: settings };
  const look = buttonClass({ variant: 'outline', size: 'l', isWide: true });
  return (
    <Link ref={link} className={look} to={isSignedIn ? settings : paths.login} state={user === null ? afterLogin : null}>
      {isSignedIn ? 'Settings' : 'Log In'}
    </Link>
  );
}

/** Behind the link of an e-mail that users can turn off. Its holder needs no session. */
export function UnsubscribePage() {
  const { token = '' } = useParams();
  const mailing = tokenParts(token)?.mailing ?? null;
  const [isUnknown, setUnknown] = useState(false);
  return (
    <FrontPage heading="Unsubscribe">
      <NoIndex />
      {mailing === null || isUnknown ? (
        <div className="stack">
          <Banner tone="bad">{detailOf('mail.unknown-token')}</Banner>
          <p className="soft">You can turn e-mails off in your settings.</p>
          <NextLink takesFocus={isUnknown} />
        </div>
      ) : (
        <UnsubscribeForm token={token} mailing={mailing} onUnknown={() => setUnknown(true)}>
          <p className="soft">You can change this in your settings.</p>
          <NextLink takesFocus />
        </UnsubscribeForm>
      )}
    </FrontPage>
  );
}
