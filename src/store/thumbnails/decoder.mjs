// @ts-check
/*
 * A process of its own that makes small images. Images come from anybody, and decoders have faults: what goes wrong here ends this process,
 * and not the server. It is started with the first image and ends with the server, or when it has had nothing to do for a while.
 */

/** The only formats that are decoded. SVG is a program, and others are rare. */
const LOADERS = ['Jpeg', 'Png', 'Nsgif', 'Webp', 'Heif'].map((name) => `VipsForeignLoad${name}`)

/** @type {typeof import('sharp').default | undefined} */
let sharp
try {
  ;({ default: sharp } = await import('sharp'))
  sharp.block({ operation: ['VipsForeignLoad'] })
  sharp.unblock({ operation: LOADERS })
  sharp.cache(false)
  sharp.concurrency(1)
} catch {
  // There is no binary for this platform.
}

/** @param {{ bytes: Uint8Array, side: number, pixels: number }} task */
async function made({ bytes, side, pixels }) {
  if (!sharp) return { missing: true }
  try {
    // Of an animation, the first image. Metadata is not copied.
    const image = sharp(bytes, { limitInputPixels: pixels, failOn: 'error', sequentialRead: true, animated: false })
    const { hasAlpha } = await image.metadata()
    const small = image.autoOrient().resize(side, side, { fit: 'inside', withoutEnlargement: true }).toColourspace('srgb')
    return { bytes: await (hasAlpha ? small.png() : small.jpeg({ quality: 80 })).toBuffer() }
  } catch (error) {
    return { refused: error instanceof Error ? error.message.slice(0, 200) : '' }
  }
}

process.on('message', (task) => {
  void made(/** @type {Parameters<typeof made>[0]} */ (task)).then((result) => process.send?.(result))
})
process.on('disconnect', () => process.exit())
