import type { ProfileView } from '@roughmix/contracts/profiles/profile.view.js';
import { cutText } from '@roughmix/contracts/shared/visible-text.js';
import { USER_PATHS } from '@roughmix/contracts/users/user.paths.js';
import { fullName, usernameSlug } from '@roughmix/contracts/users/user.view.js';

/** The most that search engines and chat programs show of a description. */
const DESCRIPTION = 200;

const escape = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');

/** The page's HTML with a profile's title and description, for search engines and for previews of links. @param origin where the site is served */
export function withProfileHead(html: string, user: ProfileView, origin: string): string {
  const title = fullName(user);
  const description = cutText(user.info.about.replace(/\s+/g, ' ').trim(), DESCRIPTION) || `${title} makes music on Roughmix.`;
  const address = `${origin}/@${encodeURIComponent(usernameSlug(user.username))}`;
  // Previews show no SVG, which is what a generated face is.
  const hasPhoto = user.largePhoto !== USER_PATHS.photo(user.uid);
  const meta = (kind: string, name: string, content: string): string => `<meta ${kind}="${name}" content="${escape(content)}" />`;
  const head = [
    `<title>${escape(title)} | Roughmix beta</title>`,
    meta('name', 'description', description),
    `<link rel="canonical" href="${escape(address)}" />`,
    meta('property', 'og:type', 'profile'),
    meta('property', 'og:site_name', 'Roughmix'),
    meta('property', 'og:title', title),
    meta('property', 'og:description', description),
    meta('property', 'og:url', address),
    meta('property', 'og:image', `${origin}${hasPhoto ? user.largePhoto : '/site/card.png'}`),
    meta('name', 'twitter:card', hasPhoto ? 'summary' : 'summary_large_image'),
  ].join('\n    ');
  return html.replace(/<meta name="description"[^>]*>/, '').replace(/<title>[^<]*<\/title>/, () => head);
}
