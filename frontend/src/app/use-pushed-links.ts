import type { OpenLink } from '@roughmix/contracts/push/push.view.js';
import { useEffect } from 'react';
import { useNavigate } from 'react-router-dom';

const isOpenLink = (data: unknown): data is OpenLink => typeof data === 'object' && data !== null && 'type' in data && data.type === 'open-link';

/** Opens what a clicked notification is about in this tab, which goes on playing. */
export function usePushedLinks(): void {
  const navigate = useNavigate();
  useEffect(() => {
    const { serviceWorker } = navigator as Partial<Pick<Navigator, 'serviceWorker'>>;
    const onMessage = ({ data, ports }: MessageEvent<unknown>) => {
      if (!isOpenLink(data)) return;
      ports[0]?.postMessage(true);
      void navigate(data.href);
    };
    serviceWorker?.addEventListener('message', onMessage);
    return () => serviceWorker?.removeEventListener('message', onMessage);
  }, [navigate]);
}
