#pragma once
#include <flite/flite.h>
