import { useQuery } from '@tanstack/react-query';
import { siteQuery } from '../../shared/site/site.queries';

/** The operator's e-mail address; nothing if there is none, or while it is loading. */
export function SupportContact() {
  const { data } = useQuery(siteQuery);
  const address = data?.supportEmail ?? null;
  if (address === null) return null;
  return (
    <p className="soft">
      Or write to <a href={`mailto:${address}`}>{address}</a>
    </p>
  );
}
