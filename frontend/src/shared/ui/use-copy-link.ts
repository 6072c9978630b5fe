import { useToast } from './toast-queue';

/** Copies a link to the clipboard, and says so. */
export function useCopyLink(): (link: string) => Promise<void> {
  const toaster = useToast();
  return async (link) => {
    try {
      await navigator.clipboard.writeText(link);
      toaster.show({ message: 'Link copied.', kind: 'done' });
    } catch {
      // Without TLS there is no clipboard: show the link to be copied by hand.
      toaster.show({ message: link, kind: 'warning' });
    }
  };
}
