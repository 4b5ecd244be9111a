import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { ApiError } from '../api/client.ts'
import { keepPages } from '../api/offline-pages.ts'
import { show } from '../api/preferences.ts'
import { queries } from '../api/queries.ts'
import { listenToKeys } from '../commands/commands.ts'
import { router } from './routes.tsx'
import '../ui/app.css'
import '../ui/door.css'
import '../ui/pages.css'

show()
listenToKeys()
keepPages()
const place = document.getElementById('pages')!
// What the service refuses is told on the page; it is no fault of the pages.
const onCaughtError = (error: unknown) => void (error instanceof ApiError || console.error(error))
createRoot(place, { onCaughtError }).render(
  <StrictMode>
    <QueryClientProvider client={queries}>
      <RouterProvider router={router} />
    </QueryClientProvider>
  </StrictMode>,
)
