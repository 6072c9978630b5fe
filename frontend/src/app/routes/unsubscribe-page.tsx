import { tokenParts } from '@roughmix/contracts/mailings/mailing.js';
import { detailOf } from '@roughmix/contracts/shared/problems.js';
import { useState } from 'react';
import { Link, useParams } from 'react-router-dom';
import { UnsubscribeForm } from '../../features/front-door/unsubscribe-form';
import { useSession } from '../../shared/session/session-provider';
import { Banner } from '../../shared/ui/banner';
import { buttonClass } from '../../shared/ui/button-class';
import { paths } from '../paths';
import { FrontPage } from './front-page';
import { NoIndex } from './no-index';

/** To the settings, where each kind of e-mail can be turned on and off. */
function SettingsLink() {
  const { user } = useSession();
  const isSignedIn = user !== null && !user.isGuest;
  return (
    <Link className={buttonClass({ variant: 'outline', size: 'l', isWide: true })} to={isSignedIn ? paths.settings('notifications') : paths.login}>
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
          <SettingsLink />
        </div>
      ) : (
        <UnsubscribeForm token={token} mailing={mailing} onUnknown={() => setUnknown(true)}>
          <p className="soft">You can turn it on again in your settings.</p>
          <SettingsLink />
        </UnsubscribeForm>
      )}
    </FrontPage>
  );
}
