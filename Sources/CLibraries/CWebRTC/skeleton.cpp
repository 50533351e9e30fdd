#include "CWebRTC.h"
