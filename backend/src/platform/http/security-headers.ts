import fastifyHelmet from '@fastify/helmet';
import type { FastifyInstance } from 'fastify';

/** The two style sheets that react-aria writes into the page, for presses and for scrolling under a dialog on iOS; a new version may need new hashes. */
const REACT_ARIA_STYLES = ["'sha256-38RhXrc7EdReTKsOm23ZPOCUgniTUUcjky8QOOrQx6o='", "'sha256-gYiS/BvZvRcK27JIXTuwhZ3hs2+VJ1X+2gUlE+farlg='"];

/** `files`: the origin of the server that browsers put files to and play them from, when it is not this one; pictures and peaks come from here. */
const pagePolicy = (files: readonly string[]) => ({
  useDefaults: false,
  directives: {
    defaultSrc: ["'self'"],
    scriptSrc: ["'self'"],
    styleSrc: ["'self'", ...REACT_ARIA_STYLES],
    styleSrcAttr: ["'unsafe-inline'"],
    imgSrc: ["'self'", 'data:', 'blob:'],
    mediaSrc: ["'self'", 'blob:', ...files],
    fontSrc: ["'self'"],
    connectSrc: ["'self'", ...files],
    objectSrc: ["'none'"],
    baseUri: ["'none'"],
    formAction: ["'self'"],
    frameAncestors: ["'none'"],
  },
});

/** The page of the API's documentation, not ours, is made with styles in its text. */
const DOCS_POLICY =
  "default-src 'self';style-src 'self' 'unsafe-inline';img-src 'self' data:;object-src 'none';base-uri 'none';form-action 'none';frame-ancestors 'none'";

/** What is data and no page: nothing in it may load, run or be framed, whatever somebody uploaded. */
const DATA_POLICY = "default-src 'none';base-uri 'none';form-action 'none';frame-ancestors 'none';sandbox";

/** Nothing of a device is asked for but its loudspeaker. */
const PERMISSIONS = `
  accelerometer browsing-topics camera display-capture geolocation gyroscope hid magnetometer microphone midi payment screen-wake-lock serial usb
  xr-spatial-tracking`
  .trim()
  .split(/\s+/)
  .map((feature) => `${feature}=()`)
  .join(', ');

const YEAR_SECONDS = 365 * 24 * 60 * 60;

/** The headers of answers that are made before any hook has run. */
export const DATA_HEADERS: Readonly<Record<string, string>> = {
  'Content-Security-Policy': DATA_POLICY,
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
};

const isPage = (url: string): boolean => !/^\/(?:api|health|metrics|socket\.io)(?:\/|$|\?)/.test(url);

/** Whether browsers come by TLS, and the origin of an S3 server as they reach it (null: files come from here). */
export interface SecureSite {
  readonly isTls: boolean;
  readonly filesOrigin: string | null;
}

/** Sets the headers that keep browsers from doing what nobody meant, on every answer; a route may set stricter ones. There are no CORS headers. */
export async function secureHeaders(server: FastifyInstance, { isTls, filesOrigin }: SecureSite): Promise<void> {
  await server.register(fastifyHelmet, {
    contentSecurityPolicy: pagePolicy(filesOrigin === null ? [] : [filesOrigin]),
    crossOriginEmbedderPolicy: false,
    hsts: isTls && { maxAge: YEAR_SECONDS, includeSubDomains: true },
    referrerPolicy: { policy: 'same-origin' },
    xFrameOptions: { action: 'deny' },
  });
  server.addHook('onRequest', (request, reply, done) => {
    void reply.header('Permissions-Policy', PERMISSIONS);
    if (request.url.startsWith('/docs')) void reply.header('Content-Security-Policy', DOCS_POLICY);
    else if (!isPage(request.url)) void reply.headers(DATA_HEADERS);
    done();
  });
  server.addHook('onSend', (request, reply, payload, done) => {
    if (request.url.startsWith('/api/') && !reply.hasHeader('cache-control')) void reply.header('Cache-Control', 'no-store');
    done(null, payload);
  });
}
