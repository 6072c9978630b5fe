/** Unpacks Chromium before the journeys start, because two of them at once would write the same file. */
module.exports = async () => {
  if (process.env.CHROME_PATH !== undefined) return;
  const { default: chromium } = await import('@sparticuz/chromium');
  await chromium.executablePath();
};
