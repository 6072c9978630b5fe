import { useId, useState } from 'react';
import { Button } from '../../../shared/ui/button';
import { InviteRequests } from './invite-requests';
import type { RequestsFrom } from './inquiries.queries';
import type { AdminKey } from './use-admin-key';

/** Invite requests for the holder of the key: listed on demand. */
export function RequestsByKey({ adminKey }: { readonly adminKey: AdminKey }) {
  const [from, setFrom] = useState<RequestsFrom | null>(null);
  const opening = useId();
  const open = () => {
    const key = adminKey.take();
    if (key !== null) setFrom({ by: 'key', key, opening });
  };
  if (from !== null) return <InviteRequests from={from} adminKey={adminKey} takesFocus />;
  return (
    <Button variant="outline" onPress={open}>
      Show invite requests
    </Button>
  );
}
