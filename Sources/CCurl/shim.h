#ifndef CCURL_SHIM_H
#define CCURL_SHIM_H

#endif
