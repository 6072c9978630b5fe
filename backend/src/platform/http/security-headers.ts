import fastifyHelmet from '@fastify/helmet';
import type { FastifyInstance } from 'fastify';

/** Hashes of the two style sheets that react-aria adds to the page (press events, scrolling under a dialog on iOS). A new version may need new hashes. */
const REACT_ARIA_STYLES = ["'sha256-38RhXrc7EdReTKsOm23ZPOCUgniTUUcjky8QOOrQx6o='", "'sha256-gYiS/BvZvRcK27JIXTuwhZ3hs2+VJ1X+2gUlE+farlg='"];

/** @param fileOrigins where browsers upload and play audio, besides this server; pictures and peaks always come from this server */
const pagePolicy = (fileOrigins: readonly string[]) => ({
  useDefaults: false,
  directives: {
    defaultSrc: ["'self'"],
    scriptSrc: ["'self'"],
    styleSrc: ["'self'", ...REACT_ARIA_STYLES],
    styleSrcAttr: ["'unsafe-inline'"],
    imgSrc: ["'self'", 'data:', 'blob:'],
    mediaSrc: ["'self'", 'blob:', ...fileOrigins],
    fontSrc: ["'self'"],
    connectSrc: ["'self'", ...fileOrigins],
    objectSrc: ["'none'"],
    baseUri: ["'none'"],
    // Forms are sent by script. A form pressed before its script runs must not put what was typed into a URL.
    formAction: ["'none'"],
    frameAncestors: ["'none'"],
  },
});

/** Swagger UI uses inline styles. */
const DOCS_POLICY =
  "default-src 'self';style-src 'self' 'unsafe-inline';img-src 'self' data:;object-src 'none';base-uri 'none';form-action 'none';frame-ancestors 'none'";

/** For data opened as a page: nothing in it may load, run or be framed, whatever was uploaded. */
const DATA_POLICY = "default-src 'none';base-uri 'none';form-action 'none';frame-ancestors 'none';sandbox";

/** The page needs no device but the speakers. */
const PERMISSIONS = `
  accelerometer browsing-topics camera display-capture geolocation gyroscope hid magnetometer microphone midi payment screen-wake-lock serial usb
  xr-spatial-tracking`
  .trim()
  .split(/\s+/)
  .map((feature) => `${feature}=()`)
  .join(', ');

const YEAR_SECONDS = 365 * 24 * 60 * 60;

/** For data, and for responses that are sent before any hook runs. */
export const DATA_HEADERS: Readonly<Record<string, string>> = {
  'Content-Security-Policy': DATA_POLICY,
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
};

const isPage = (url: string): boolean => !/^\/(?:api|health|metrics|socket\.io)(?:\/|$|\?)/.test(url);

/** How browsers reach this server and its files. */
export interface SecurityHeaderOptions {
  readonly isTls: boolean;
  /** The origin of the S3 server; null when this server serves the files. */
  readonly filesOrigin: string | null;
}

/** Adds security headers to every response; a route may set stricter ones. There are no CORS headers. */
export async function addSecurityHeaders(server: FastifyInstance, { isTls, filesOrigin }: SecurityHeaderOptions): Promise<void> {
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
